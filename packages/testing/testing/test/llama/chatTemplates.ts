/** Chat templates with the rules that model families have: what a server does with a conversation depends on them. */

export const chatTemplates = {
  /** As Mistral's models: roles alternate after an optional system message, or the request is refused. */
  mistral: `
{%- set start = 1 if messages[0].role == 'system' else 0 %}
{%- for message in messages[start:] %}
  {%- if (message.role == 'user') != (loop.index0 % 2 == 0) %}
    {{- raise_exception('conversation roles must alternate user/assistant/user/assistant/...') }}
  {%- endif %}
  {%- if message.role == 'user' %}
    {{- '[INST] ' + (messages[0].content + '\\n\\n' if loop.first and start == 1 else '') + message.content + '[/INST]' }}
  {%- else %}
    {{- message.content + eos_token }}
  {%- endif %}
{%- endfor %}`,
  /** As Hermes' and Qwen's models: tools are declared as JSON in the system message, calls stand in tags. */
  hermes: `
{%- set start = 1 if messages[0].role == 'system' else 0 %}
{%- if start == 1 or tools %}
  {{- '<|im_start|>system\\n' + (messages[0].content if start == 1 else '') }}
  {%- if tools %}
    {{- '\\n\\n# Tools\\n\\nYou may call functions. Their signatures are in <tools></tools>:\\n<tools>' }}
    {%- for tool in tools %}
      {{- '\\n' + (tool | tojson) }}
    {%- endfor %}
    {{- '\\n</tools>\\n\\nReturn each call as a JSON object in tags:\\n<tool_call>\\n{"name": <function-name>, "arguments": <args-json-object>}\\n</tool_call>' }}
  {%- endif %}
  {{- '<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages[start:] %}
  {%- if message.role == 'tool' %}
    {{- '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}
  {%- elif message.role == 'assistant' %}
    {{- '<|im_start|>assistant\\n' + (message.content if message.content else '') }}
    {%- for call in message.tool_calls or [] %}
      {{- '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}\\n</tool_call>' }}
    {%- endfor %}
    {{- '<|im_end|>\\n' }}
  {%- else %}
    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
  {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
  {{- '<|im_start|>assistant\\n' }}
  {%- if enable_thinking is defined and not enable_thinking %}
    {{- '<think>\\n\\n</think>\\n\\n' }}
  {%- endif %}
{%- endif %}`,
} as const
