import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A user number that no machine uses, and the numbers for users in its containers. */
const USER = 64_123
const NAME = 'beadloom-rootless'
const SUBORDINATE = { first: 2_000_000, count: 65_536 }

/** Mounts these files in a namespace of its own, so the user exists there and the machine's own files do not change. */
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

/** Ends the process that keeps the user's namespaces between two commands; it outlives them all. */
export function endRootless(folder: string): void {
  const file = join(folder, 'runtime', 'libpod', 'tmp', 'pause.pid')
  if (existsSync(file)) process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL')
}
