import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitOrder } from '@beadloom/core/execution/session-order.ts'
import { coAuthored, type Identity } from '@beadloom/core/records/identity.ts'
import { addExcludeRules, GATE_LOCKS } from './exclude-rules.ts'
import type { Git } from './git.ts'
import { plainSettings, withoutSettings, type Settings } from './plain-config.ts'

export const LIST_SETTINGS = ['config', '--local', '--list', '-z']
const WHAT = 'the repository could not be configured'

/**
 * Settings that make plain `git commit`, `git push` and `git pull --rebase` work for an agent that knows nothing about
 * this container: nothing asks a question, no hook runs, and a push goes to the branch of the same name.
 */
const wantedSettings = (git: Git, { author, committer = author, coAuthor, url }: GitOrder): Record<string, string> => ({
  'user.name': author.name,
  'user.email': author.email,
  'committer.name': committer.name,
  'committer.email': committer.email,
  'core.hooksPath': coAuthor === undefined ? '/dev/null' : ownHooks(git),
  'core.editor': 'true',
  'commit.gpgSign': 'false',
  'push.default': 'current',
  'push.autoSetupRemote': 'true',
  'pull.rebase': 'true',
  'gc.auto': '0',
  'advice.detachedHead': 'false',
  'remote.origin.url': url,
  'remote.origin.fetch': '+refs/heads/*:refs/remotes/origin/*',
})

/**
 * Hooks that came with an image or a setup command are moved away as well as switched off. Settings that are already
 * right (an image holds the repository of its setup) are left alone. Missing ones are written together, because each
 * single write starts a git.
 */
export async function configure(git: Git, order: GitOrder): Promise<void> {
  const present = (await readPlain(git)) ?? listedSettings(await git.must(WHAT, LIST_SETTINGS))
  const valuesOf = (key: string) => present.get(key.toLowerCase()) ?? []
  if (order.coAuthor !== undefined) await writeHook(git, order.coAuthor)
  const wanted = Object.entries(wantedSettings(git, order))
  const open = wanted.filter(([key, value]) => valuesOf(key).join('\0') !== value)
  const former = open.filter(([key]) => valuesOf(key).length > 0)
  if (!(await replace(git, former, open)))
    for (const [key, value] of open) await git.must(WHAT, ['config', '--replace-all', key, value])
  if (present.has('remote.origin.pushurl')) await git.run(['config', '--unset-all', 'remote.origin.pushurl'])
  await rename(join(git.directory, 'hooks'), join(git.directory, 'hooks.off')).catch(() => {})
  await addExcludeRules(git, GATE_LOCKS)
}

const ownHooks = (git: Git): string => join(git.directory, 'beadloom-hooks')

/**
 * Makes each commit of an agent name the agent, whatever its message is: `--no-verify` does not skip this hook. The
 * hook belongs to this repository alone, so that repositories made by the project's tests have the commits that they
 * expect.
 */
async function writeHook(git: Git, coAuthor: Identity): Promise<void> {
  const trailer = `'${coAuthored(coAuthor).replaceAll("'", `'\\''`)}'`
  const text = `#!/bin/sh\nexec git interpret-trailers --in-place --if-exists addIfDifferent --trailer ${trailer} "$1"\n`
  const file = join(ownHooks(git), 'prepare-commit-msg')
  if ((await readFile(file, 'utf8').catch(() => '')) === text) return
  await mkdir(ownHooks(git), { recursive: true })
  await writeFile(file, text, { mode: 0o755 })
}

type Setting = [key: string, value: string]

/** False if git has to do it, or to say why it cannot. No other process is in the repository. */
async function replace(git: Git, former: readonly Setting[], now: readonly Setting[]): Promise<boolean> {
  if (now.length === 0) return true
  const file = join(git.directory, 'config')
  const lines = `\n${now.map(lineOf).join('')}`
  try {
    if (former.length === 0) await appendFile(file, lines)
    else {
      const rest = withoutSettings(await readFile(file, 'utf8'), new Set(former.map(([key]) => key.toLowerCase())))
      if (rest === null) return false
      await writeFile(`${file}.lock`, `${rest}${lines}`, { flag: 'wx' })
      await rename(`${file}.lock`, file)
    }
    return true
  } catch {
    return false
  }
}

/**
 * A setting as a line with its section, as git-config(1) describes the file: `remote.origin.url` is `url` in `[remote
 * "origin"]`.
 */
export function lineOf([key, value]: [key: string, value: string]): string {
  const [section = '', ...rest] = key.split('.')
  const name = rest.pop() ?? ''
  const sub = rest.length > 0 ? ` "${escaped(rest.join('.'))}"` : ''
  return `[${section}${sub}]\n\t${name} = "${escaped(value).replaceAll('\n', '\\n')}"\n`
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')

async function readPlain(git: Git): Promise<Settings | null> {
  try {
    return plainSettings(await readFile(join(git.directory, 'config'), 'utf8'))
  } catch {
    return null
  }
}

/** Every value of each key in the output of `LIST_SETTINGS`. */
export function listedSettings(listed: string): Settings {
  const settings: Settings = new Map()
  for (const entry of listed.split('\0').filter(Boolean)) {
    const end = entry.indexOf('\n')
    const key = end < 0 ? entry : entry.slice(0, end)
    settings.set(key, [...(settings.get(key) ?? []), end < 0 ? null : entry.slice(end + 1)])
  }
  return settings
}
