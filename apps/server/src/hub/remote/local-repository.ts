import { constants } from 'node:fs'
import { access, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LocalRepository } from '../../ports/hub.ts'

/** The hooks that a push to a repository would run. */
const pushHooks = ['pre-receive', 'update', 'proc-receive', 'post-receive', 'post-update', 'reference-transaction']
/** No person has written a longer HEAD, `.git` file or configuration. */
const MAX_BYTES = 1024 * 1024

/**
 * Facts for a person before anything is published to a repository on this machine, from its files alone: git is not run
 * in it. Null for one that is elsewhere. Unreadable parts are left out.
 */
export async function localRepository(source: string, branch: string): Promise<LocalRepository | null> {
  const path = pathOf(source)
  if (path === null) return null
  const { gitDir, common, bare } = await foldersOf(path)
  const trees = [...(bare ? [] : [{ gitDir, folder: path }]), ...(await worktreesOf(common))]
  let checkedOutIn: string | null = null
  for (const tree of trees)
    if ((await textOf(join(tree.gitDir, 'HEAD'))).trim() === `ref: refs/heads/${branch}`) checkedOutIn ??= tree.folder
  return { checkedOutIn, hooks: await hooksOf(common) }
}

/**
 * The folder of branches of a repository on this machine, named by any path: a symbolic link, a file URL, `.git` itself
 * or another working tree. Null: it is elsewhere, or not there.
 */
export async function placeOfRepository(source: string): Promise<string | null> {
  const path = pathOf(source)
  if (path === null) return null
  const { common } = await foldersOf(path)
  return realpath(common).catch(() => null)
}

export function pathOf(source: string): string | null {
  if (isAbsolute(source)) return source
  if (!/^file:\/\//i.test(source)) return null
  try {
    return fileURLToPath(source)
  } catch {
    return null // fetching it reports the problem
  }
}

/** `common`: the folder that all working trees of the repository share. */
export async function foldersOf(path: string): Promise<{ gitDir: string; common: string; bare: boolean }> {
  const dotGit = join(path, '.git')
  const kind = await stat(dotGit).catch(() => null)
  if (kind === null) return { gitDir: path, common: path, bare: true }
  const link = kind.isFile() ? /^gitdir: (.+)$/m.exec(await textOf(dotGit))?.[1] : undefined
  const gitDir = link === undefined ? dotGit : resolve(path, link.trim())
  const shared = (await textOf(join(gitDir, 'commondir'))).trim()
  return { gitDir, common: shared === '' ? gitDir : resolve(gitDir, shared), bare: false }
}

async function worktreesOf(common: string): Promise<{ gitDir: string; folder: string }[]> {
  const folder = join(common, 'worktrees')
  const names = await readdir(folder).catch(() => [])
  return Promise.all(
    names.map(async (name) => {
      const gitDir = join(folder, name)
      return { gitDir, folder: dirname((await textOf(join(gitDir, 'gitdir'))).trim()) }
    }),
  )
}

async function hooksOf(common: string): Promise<string[]> {
  const configured = /^[ \t]*hooksPath[ \t]*=([^\n]+)$/im
    .exec(await textOf(join(common, 'config')))?.[1]
    ?.trim()
    .replace(/^"|"$/g, '')
  const folder = configured === undefined ? join(common, 'hooks') : resolve(common, configured)
  const there = await Promise.all(
    pushHooks.map((name) =>
      access(join(folder, name), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  )
  return pushHooks.filter((_, at) => there[at])
}

async function textOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => null)
  if (found === null || !found.isFile() || found.size > MAX_BYTES) return ''
  return readFile(file, 'utf8').catch(() => '')
}
