import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A number that no user of a machine has; and those that are given to the users within its containers. */
const USER = 64_123
const NAME = 'beadloom-rootless'
const SUBORDINATE = { first: 2_000_000, count: 65_536 }

/** In a mount namespace of its own these files say that there is such a user, so that the machine's own do not change. */
const AS_USER = `
for name in passwd group subuid subgid; do mount --bind "$0/etc/$name" "/etc/$name"; done
exec setpriv --reuid ${USER} --regid ${USER} --clear-groups "$@"`

/** Makes a folder the home of a user that nobody else on this machine sees. */
export function becomeRootless(folder: string): void {
  const etc = join(folder, 'etc')
  mkdirSync(etc)
  mkdirSync(join(folder, 'runtime'))
  const own = {
    passwd: `${readFileSync('/etc/passwd', 'utf8')}${NAME}:x:${USER}:${USER}::${folder}:/bin/sh\n`,
    group: `${readFileSync('/etc/group', 'utf8')}${NAME}:x:${USER}:\n`,
    subuid: `${NAME}:${SUBORDINATE.first}:${SUBORDINATE.count}\n`,
    subgid: `${NAME}:${SUBORDINATE.first}:${SUBORDINATE.count}\n`,
  }
  for (const [name, text] of Object.entries(own)) writeFileSync(join(etc, name), text)
  for (const name of ['.', ...readdirSync(folder)]) chownSync(join(folder, name), USER, USER)
}

export const rootlessEnvironment = (folder: string): { HOME: string; XDG_RUNTIME_DIR: string } => ({
  HOME: folder,
  XDG_RUNTIME_DIR: join(folder, 'runtime'),
})

/** The command as that user runs it. */
export const asRootless = (folder: string, command: readonly string[]): [string, ...string[]] => {
  const shell = ['sh', '-c', AS_USER, folder]
  return ['unshare', '--mount', '--propagation', 'private', ...shell, ...command]
}

/** What keeps the user's namespaces between two commands outlives them all. */
export function endRootless(folder: string): void {
  const file = join(folder, 'runtime', 'libpod', 'tmp', 'pause.pid')
  if (existsSync(file)) process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL')
}
