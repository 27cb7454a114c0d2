/* Judges the end of a command line by its words alone: whether the failure of a started command is still a failure. */

/** Succeeds whatever the command finds. */
export const cannotFail =
  /\|\| ?(?:true|:|exit 0) ?(?:["',)\]};&\\]|$)|\|\| ?echo\b[^|&;"]*(?:"|$)|[^&>|<]& ?(?:wait)?$|(?:;|[^&]&) ?(?:true|:|exit 0) ?(?:["')\]}]|$)/
const nothing =
  /^(?:commands ?= ?)?(?:(?:\/bin\/)?true|:|exit(?:\s+0)?|(?:echo|printf)\b[^|&;]*|python[\d.]* -c ["']*(?:pass|1|print\(.*\)|)["']*|node -e ["']*\d*["']*)?;?$|^session\.run\(["'](?:echo|true)["']/
export const isNothing = (command: string): boolean =>
  nothing.test(
    command
      .trim()
      .replace(/^[@-]\s*/, '')
      .replace(/\s+;?$/, ''),
  )

/** A shell reports the exit of a pipe's last command, not of its first. */
export const isPiped = (line: string): boolean => /[^|]\|[^|]/.test(line.replace(/(["']).*?\1/g, ''))
