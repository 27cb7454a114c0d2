import { isObject } from '../text/json-object.ts'
import { valueWithin } from '../text/json-values.ts'
import type { RunsBy } from './elsewhere-files.ts'

/*
 * A package's file is mostly about other things, so what counts is whether a part of it changes that runs elsewhere. It is read
 * as its tool reads it: a name may be written with escapes, and a value stand in the next line.
 */

const MOST_VALUES = 10_000

/** npm's, Composer's, and what tools for git hooks keep here. Texts, or members of `scripts`. */
const parts: readonly (readonly [RunsBy, (file: Record<string, unknown>) => unknown])[] = [
  ['install', (file) => chosen(file['scripts'], INSTALLS)],
  ['install', (file) => [file['trustedDependencies'], file['pnpm'], file['packageManager']]],
  ['install', (file) => (isObject(file['config']) ? file['config']['allow-plugins'] : undefined)],
  ['hook', (file) => chosen(file, HOOKS)],
]
const INSTALLS =
  /^(?:(?:pre|post)?(?:install|prepare|uninstall)|prepublish|dependencies|(?:pre|post)-(?:install|update|autoload-dump|package-\w+)(?:-cmd)?|post-(?:root-package-install|create-project-cmd))$/
const HOOKS = /^(?:husky|simple-git-hooks|gitHooks|pre-commit|lint-staged|ghooks)$/

const chosen = (of: unknown, names: RegExp): unknown =>
  isObject(of) ? Object.entries(of).filter(([name]) => names.test(name)) : []

/** A file that may have scripts which run where it is installed. */
export const isPackage = (path: string): boolean => /(?:^|\/)(?:package|composer)\.json$/i.test(path)

/**
 * Says which program runs a part that changes; null: no such part does. `before`, `after`: the file, null where it is not there. A
 * file that is no JSON, or too large to be read, counts as changed.
 */
export function packageRuns(before: string | null, after: string | null): RunsBy | null {
  if (before === after) return null
  const [former, now] = [before, after].map((text) => (text === null ? {} : valueWithin(text, MOST_VALUES)))
  if (!isObject(former) || !isObject(now)) return 'install'
  const differs = (part: (file: Record<string, unknown>) => unknown): boolean =>
    JSON.stringify(part(former)) !== JSON.stringify(part(now))
  return parts.find(([, part]) => differs(part))?.[0] ?? null
}
