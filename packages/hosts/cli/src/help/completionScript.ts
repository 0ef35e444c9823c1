/** Adds file names, names of workflows and codes of diagnostics to the completion scripts of the parser. */

/** Commands whose arguments are neither files nor workflows. */
const WITHOUT_FILES = ["doctor", "keys", "list", "runs", "sessions", "users"]

/** Commands whose argument is a file of YAML or the name of a workflow. */
const WITH_WORKFLOWS = [
  "build",
  "chat",
  "check",
  "dev",
  "eval",
  "fmt",
  "graph",
  "plan",
  "prompt",
  "run",
  "test",
  "types",
]

/** Lists the workflows of the current project, each by its name. */
const WORKFLOW_NAMES =
  "for file in workflows/*.yaml; do case $file in *.test.yaml|*.eval.yaml|*'*'*) ;; *) basename \"$file\" .yaml ;; esac; done"

const CODES = "planloom explain --json 2>/dev/null | grep -o 'PL[0-9]*' | sort -u"

/** Returns the script unchanged if it is not one of bash, zsh or fish. */
export const completionScript = (generated: string): string => {
  if (generated.includes("\ncomplete -F _planloom planloom")) return forBash(generated)
  if (generated.includes("compdef _planloom planloom")) return forZsh(generated)
  return generated.includes("complete -c planloom") ? forFish(generated) : generated
}

const forBash = (generated: string): string =>
  generated.replace(
    "\ncomplete -F _planloom planloom",
    () => `
_planloom_with_files()
{
  _planloom "$@"
  local cur="\${COMP_WORDS[COMP_CWORD]}"
  if [[ \${#COMPREPLY[@]} -gt 0 || "$cur" == -* || $COMP_CWORD -lt 2 ]]; then return; fi
  local IFS=$'\\n'
  case "\${COMP_WORDS[1]}" in
    ${WITHOUT_FILES.join("|")}) ;;
    explain) COMPREPLY=( $(compgen -W "$(${CODES})" -- "$cur") ) ;;
    ${WITH_WORKFLOWS.join("|")})
      if [[ "\${COMP_WORDS[COMP_CWORD-1]}" == -* ]]; then
        COMPREPLY=( $(compgen -f -- "$cur") )
      else
        COMPREPLY=( $(compgen -W "$(${WORKFLOW_NAMES})" -- "$cur") $(compgen -d -- "$cur") $(compgen -f -X '!*.yaml' -- "$cur") $(compgen -f -X '!*.yml' -- "$cur") )
      fi ;;
    *) COMPREPLY=( $(compgen -f -- "$cur") ) ;;
  esac
}

complete -o filenames -F _planloom_with_files planloom`,
  )

/** Positional arguments and values of flags have an empty action; their descriptions say what they are. */
const forZsh = (generated: string): string => {
  const lines = generated.split("\n").map((line) => {
    if (!/^ {4}'.*:'$/.test(line)) return line
    const action = line.startsWith("    ':A code such as")
      ? "_planloom_codes"
      : line.startsWith("    ':A workflow file")
        ? "_planloom_workflows"
        : /\b(file|folder|path)/i.test(line)
          ? "_files"
          : ""
    return `${line.slice(0, -1)}${action}'`
  })
  const functions = `_planloom_codes() { compadd -- \${(f)"$(${CODES})"} }
_planloom_workflows() { compadd -- \${(f)"$(${WORKFLOW_NAMES})"}; _files -g '*.(yaml|yml)' }
`
  return lines
    .join("\n")
    .replace("# Handle both direct", () => `${functions}\n# Handle both direct`)
}

/** The parser turns off file names for every command. */
const forFish = (generated: string): string => {
  const commands = [...generated.matchAll(/__fish_use_subcommand' -f -a '([a-z]+)'/g)].map(
    ({ 1: name }) => name!,
  )
  const taking = commands.filter((name) => !WITHOUT_FILES.includes(name))
  const lines = generated
    .split("\n")
    .filter(
      (line) =>
        !taking.some(
          (name) => line === `complete -c planloom -n '__fish_seen_subcommand_from ${name}' -f`,
        ),
    )
  const workflows = taking.filter((name) => name !== "explain").join(" ")
  const added = `complete -c planloom -n '__fish_seen_subcommand_from ${workflows}' -a '(for file in workflows/*.yaml; string match -qr "\\.(test|eval)\\.yaml\\$" $file; or path basename -E $file; end)'
complete -c planloom -n '__fish_seen_subcommand_from explain' -f -a '(planloom explain --json 2>/dev/null | string match -ra "PL[0-9]+" | sort -u)'`
  return lines.join("\n").replace("###-end-planloom", () => `${added}\n###-end-planloom`)
}
