import { chmod, lstat, mkdir, readlink, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import type { Environment } from '../../process/settings/settings.ts'
import { otherThanFile, readPlainFile } from '../../process/plain-file.ts'
import { CliError } from '../exit-code.ts'
import { isOurs, UNIT } from './unit-file.ts'

const MOST_BYTES = 256 * 1024

/** `foreign`: something that we did not write; `why` is a sentence about it. */
export type Found = { kind: 'none' } | { kind: 'ours'; text: string } | { kind: 'foreign'; why: string }

/** The user's folder for settings of programs. Throws `CliError` if there is none. */
export function configFolder(env: Environment): string {
  const xdg = env['XDG_CONFIG_HOME']
  if (xdg && isAbsolute(xdg)) return xdg
  const home = env['HOME']
  if (home && isAbsolute(home)) return join(home, '.config')
  throw new CliError('there is no folder for the unit: set HOME or XDG_CONFIG_HOME to an absolute path.')
}

export const unitPath = (config: string): string => join(config, 'systemd', 'user', UNIT)

/** Looks at the unit's place. Anything may be there: a link, a pipe, another program's unit. */
export async function findUnit(path: string): Promise<Found> {
  const there = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new CliError(`${path} cannot be read: ${messageOf(error)}`)
  })
  if (there === null) return { kind: 'none' }
  if (there.isSymbolicLink()) return { kind: 'foreign', why: await aboutLink(path) }
  const other = otherThanFile(there)
  if (other !== null) return { kind: 'foreign', why: `${path} is ${other}. Move it away.` }
  try {
    const text = await readPlainFile(path, MOST_BYTES)
    if (isOurs(text)) return { kind: 'ours', text }
  } catch (error) {
    return { kind: 'foreign', why: `${path} cannot be read: ${messageOf(error)}` }
  }
  return {
    kind: 'foreign',
    why: `${path} was not made by "beadloom service install". Move it away to have it replaced.`,
  }
}

async function aboutLink(path: string): Promise<string> {
  const target = await readlink(path).catch(() => '?')
  return target === '/dev/null'
    ? `the service is masked (${path} is a link to /dev/null). "systemctl --user unmask ${UNIT}" ends that.`
    : `${path} is a link to ${target}, which "beadloom service install" did not make. Remove the link to have it replaced.`
}

/** Replaces the unit as a whole: systemd reads the old one or the new one. */
export async function writeUnit(path: string, text: string): Promise<void> {
  const part = `${path}.${process.pid}.part`
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(part, text, { mode: 0o644, flag: 'wx' })
    await chmod(part, 0o644) // whatever the umask: other tools read units, and this one has no secret
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw new CliError(`${path} cannot be written: ${messageOf(error)}`)
  }
}

export async function removeUnit(path: string): Promise<void> {
  await rm(path).catch((error) => {
    throw new CliError(`${path} cannot be removed: ${messageOf(error)}`)
  })
}
