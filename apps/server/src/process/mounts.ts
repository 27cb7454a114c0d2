/** A line of /proc/PID/mountinfo. `root`: the mounted part, as a path within its file system; `at`: the mount point. */
export type Mount = { root: string; at: string; type: string; source: string }

/** The mounts of a process, in the order of the kernel: a later one may hide an earlier one. */
export function mountsOf(mountinfo: string): Mount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [before = '', after = ''] = line.split(' - ')
    const [, , , root, at] = before.split(' ').map(plain)
    const [type, source] = after.split(' ').map(plain)
    return root && at && type && source ? [{ root, at, type, source }] : []
  })
}

/** The kernel writes spaces, line ends and backslashes as three octal digits. */
const plain = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8)))

/** The mount that an absolute path is on. */
export const mountOf = (path: string, mounts: readonly Mount[]): Mount | null =>
  mounts
    .filter(({ at }) => at === '/' || path === at || path.startsWith(`${at}/`))
    .reduce<Mount | null>((best, one) => (best === null || one.at.length >= best.at.length ? one : best), null)
