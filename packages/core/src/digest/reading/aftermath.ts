const AFTERMATH =
  /^(?:npm (?:error|ERR!)|error Command failed with|(?:##\[error\]|Error: |ERROR: )Process completed with|ERROR: command finished with error|g?make(?:\[\d{1,3}\])?: \*\*\* )|^ ?(?:ELIFECYCLE|ERR_PNPM_\w{1,60}) {1,4}\S| exited with code \d{1,3}$/

/** Whether a package manager, a CI system or make says this after a tool has failed: it is no tool's own line. */
export const isAftermath = (line: string): boolean => AFTERMATH.test(line)
