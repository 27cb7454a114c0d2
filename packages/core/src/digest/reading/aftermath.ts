const AFTERMATH =
  /^(?:npm (?:error|ERR!)|error Command failed with|(?:##\[error\]|Error: |ERROR: )Process completed with|ERROR: command finished with error|g?make(?:\[\d{1,3}\])?: \*\*\* )|^ ?(?:ELIFECYCLE|ERR_PNPM_\w{1,60}) {1,4}\S| exited with code \d{1,3}$/

/** True for what a package manager, a CI system or make says after a tool has failed: no tool's own words. */
export const isAftermath = (line: string): boolean => AFTERMATH.test(line)
