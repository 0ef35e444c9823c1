/** Sends the CPU time so far to the parent process whenever it asks. */
process.on("message", () => process.send(process.cpuUsage()))
process.channel.unref()
