import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { GitOrder } from '@beadloom/core/execution/session-order.ts'
import { clashesWithPacked } from '@beadloom/core/project/packed-refs.ts'
import { lineOf } from './configure.ts'
import type { Git } from './git.ts'

/**
 * Makes the order's branch, and its upstream, at HEAD. The workspace has the order's commit checked out, clean, and no
 * other process is in it. Writing the four files that git would write takes a millisecond; each git takes twenty before
 * the agent's first word.
 *
 * False if the repository or the name is not that simple; git has to do it then.
 */
export async function branchWhereHeadIs(git: Git, { branch, commit }: GitOrder): Promise<boolean> {
  if (!isPlain(branch)) return false
  const file = (name: string) => join(git.directory, name)
  const refs = [`refs/remotes/origin/${branch}`, `refs/heads/${branch}`]
  try {
    const [head, config, packed] = await Promise.all([
      readFile(file('HEAD'), 'utf8'),
      readFile(file('config'), 'utf8'),
      readFile(file('packed-refs'), 'utf8').catch(() => ''),
    ])
    if (head.trimEnd() !== commit || /^\s*\[branch\b/im.test(config)) return false
    if (refs.some((ref) => clashesWithPacked(packed, ref))) return false
    await Promise.all(refs.map((ref) => write(file(ref), `${commit}\n`)))
    const upstream: [string, string][] = [
      [`branch.${branch}.remote`, 'origin'],
      [`branch.${branch}.merge`, `refs/heads/${branch}`],
    ]
    await appendFile(file('config'), `\n${upstream.map(lineOf).join('')}`)
    await write(file('HEAD'), `ref: refs/heads/${branch}\n`)
    return true
  } catch {
    return false
  }
}

/**
 * Whether the name works unchanged as a path and as a section of the configuration, and git always reads it as a
 * branch.
 */
const isPlain = (branch: string): boolean =>
  branch !== 'HEAD' &&
  branch.split('/').every((part) => /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/.test(part) && !/\.\.|\.$|\.lock$/.test(part))

/** Writes as git does: a reader finds the old content or the new one. */
async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.lock`, text, { flag: 'wx' })
  await rename(`${path}.lock`, path)
}
