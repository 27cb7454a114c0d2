import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const isRoot = process.getuid?.() === 0
/** The needs of a container of the process engine: namespaces, a user in them, and tools to set them up. */
const TRY = 'mount -t proc proc /proc && ip link set lo up && command -v pivot_root setpriv >/dev/null'

/** Why this machine cannot run the process engine, which needs a Linux that gives us namespaces; null if it can. */
export async function whatIsMissing(): Promise<string | null> {
  const flags = [...(isRoot ? [] : ['--user', '--map-root-user']), '--mount', '--pid', '--net', '--ipc', '--uts']
  try {
    await promisify(execFile)('unshare', [...flags, '--fork', 'sh', '-c', TRY], {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
    })
    return null
  } catch (error) {
    return `no namespaces for the process engine: ${error instanceof Error ? error.message : String(error)}`
  }
}
