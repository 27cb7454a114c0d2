import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { PublicRepository } from './list.ts'

const start = promisify(execFile)

export const git = async (folder: string, ...args: string[]): Promise<string> =>
  (await start('git', ['-C', folder, ...args], { maxBuffer: 64 * 1024 ** 2 })).stdout

/** Where a folder of clones may have one: beside each other, by owner, or bare. */
const places = (clones: string, name: string): string[] => {
  const [owner = '', own = ''] = name.split('/')
  return [
    join(clones, owner, own),
    join(clones, owner, `${own}.git`),
    join(clones, `${owner}+${own}`, 'repo'),
    join(clones, `${owner}-${own}`),
    join(clones, own),
    join(clones, `${own}.git`),
  ]
}

/**
 * A clone as a newcomer has it: a working tree with the whole history, on the branch that the project works on, at the
 * commit of the list. Nothing is written into the clone that it is made of.
 *
 * @param clones a folder of clones; without one, or where it lacks this repository, GitHub is asked
 */
export async function cloneInto(
  folder: string,
  { name, commit }: PublicRepository,
  clones: string | null,
): Promise<void> {
  const local = clones === null ? undefined : places(clones, name).find((place) => existsSync(place))
  const from = local ?? `https://github.com/${name}.git`
  await start('git', ['clone', '--quiet', from, folder])
  await git(folder, 'reset', '--quiet', '--hard', commit)
  // What is published goes into this clone, and never to where it came from.
  await git(folder, 'remote', 'remove', 'origin')
}

export async function filesAt(folder: string): Promise<string[]> {
  return (await git(folder, 'ls-files', '-z')).split('\0').filter(Boolean)
}
