import { isObject } from '../text/json-object.ts'
import { valueWithin } from '../text/json-values.ts'
import type { RunsBy } from './elsewhere-files.ts'

/*
 * Most of a package's file is harmless, so only a change of a part that runs elsewhere counts. It is read as its tool
 * reads it: a name may have escapes, and a value may be on the next line.
 */

const MOST_VALUES = 10_000

/** Parts of npm, of Composer, and of tools for git hooks. Texts, or members of `scripts`. */
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

/** Whether a file may have scripts that run during its installation. */
export const isPackage = (path: string): boolean => /(?:^|\/)(?:package|composer)\.json$/i.test(path)

/**
 * The program that runs a changed part; null: no such part has changed. `before`, `after`: the file's text, null if it
 * does not exist. A file that is no JSON, or too large to be read, counts as changed.
 */
export function packageRuns(before: string | null, after: string | null): RunsBy | null {
  if (before === after) return null
  const [former, now] = [before, after].map((text) => (text === null ? {} : valueWithin(text, MOST_VALUES)))
  if (!isObject(former) || !isObject(now)) return 'install'
  const differs = (part: (file: Record<string, unknown>) => unknown): boolean =>
    JSON.stringify(part(former)) !== JSON.stringify(part(now))
  return parts.find(([, part]) => differs(part))?.[0] ?? null
}
