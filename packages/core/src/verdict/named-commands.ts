import { jsonObject } from '../digest/reading/failure-list.ts'
import { isObject } from '../text/json-object.ts'

/** What a repository's files say that a command stands for: scripts of `package.json`, targets of a Makefile. */
export type NamedCommands = {
  scripts: Readonly<Record<string, unknown>>
  /** Each target with what it needs and its recipe, as one line. */
  targets: Readonly<Record<string, string>>
}

export const noCommands: NamedCommands = { scripts: {}, targets: {} }

/** "npm test", "npm run test:unit", "yarn test", "pnpm -r test" with the name of their script. */
const SCRIPT = /^(?:npm|pnpm|yarn|bun)(?:\s+-{1,2}[\w-]+)*\s+(?:run\s+|run-script\s+)?([\w:.-]+)(?:\s|$)/
/** With `-k` all targets are tried. */
const MAKE = /^(?:g?make|\$[({]MAKE[)}])(?:\s+(?!-\w*k|--keep-going)(?:-\S+|\w+=\S*))*\s+([\w.-]+)\s*$/

/** Longer command lines are not searched. */
const MOST = 10_000
const MOST_TARGETS = 500

/** What a command stands for; null: it is no name of anything. */
export function meaningOf(command: string, { scripts, targets }: NamedCommands): string | null {
  const words = command.trim().slice(0, MOST)
  const name = SCRIPT.exec(words)?.[1]
  const script = name === undefined ? undefined : scripts[name === 't' ? 'test' : name]
  if (typeof script === 'string') return script
  const target = MAKE.exec(words)?.[1]
  return target !== undefined && Object.hasOwn(targets, target) ? (targets[target] ?? null) : null
}

/** @param manifest the text of `package.json`; @param makefile that of the Makefile */
export function namedCommands(manifest: string | null, makefile: string | null): NamedCommands {
  const value = manifest === null ? null : jsonObject(manifest)
  return { scripts: isObject(value?.['scripts']) ? value['scripts'] : {}, targets: targetsIn(makefile ?? '') }
}

function targetsIn(makefile: string): Record<string, string> {
  const parts = new Map<string, string[]>()
  let open: string[] = []
  for (const line of makefile.split('\n', 5000)) {
    const rule = /^([\w.-]{1,80}(?: [\w.-]{1,80}){0,20})\s{0,5}::?(?!=)\s{0,5}([^=#]{0,2000})$/.exec(line)
    if (line.startsWith('\t')) {
      const words = line.trim().replace(/^[@+-]+/, '')
      for (const target of open) parts.get(target)?.push(words)
    } else if (rule) {
      open = (rule[1] ?? '').split(' ').filter((name) => name !== '.PHONY' && parts.size < MOST_TARGETS)
      const needs = (rule[2] ?? '').split(/\s+/).filter((name) => /^[\w.-]+$/.test(name))
      for (const target of open)
        parts.set(target, [...(parts.get(target) ?? []), ...needs.map((name) => `make ${name}`)])
    } else if (line.trim() !== '' && !line.startsWith('#')) open = []
  }
  return Object.fromEntries([...parts].map(([target, words]) => [target, words.join(' && ')]))
}
