/** The words with which Linux, git and Docker say that a disk, or its owner's quota, is full. */
const FULL = /no space left on device|out of diskspace|disk quota exceeded/i

export const saysFullDisk = (text: string): boolean => FULL.test(text)

/** Whether a git says so about its own disk: the lines of a git at the other end begin with "remote:". */
export const saysOwnDiskFull = (stderr: string): boolean =>
  stderr.split(/[\r\n]/).some((line) => FULL.test(line) && !line.startsWith('remote:'))
