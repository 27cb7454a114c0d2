import { endOfPath } from '../text/end-of-path.ts'
import { oneLine } from '../text/one-line.ts'
import { runsBy, type RunsBy } from './elsewhere-files.ts'

/**
 * The changes of files that run elsewhere which a person must allow before they are published, unless the bead names
 * them.
 */
export const elsewhereModes = ['ci', 'all', 'tell'] as const
export type ElsewhereMode = (typeof elsewhereModes)[number]

/** The name of the check. */
export const NOTHING_ELSEWHERE = 'nothing runs elsewhere'

/** A changed file. `by`: the program that runs it; `made`: it is new; `gone`: it was deleted. */
export type Elsewhere = { path: string; by: RunsBy; made?: boolean; gone: boolean }

const words: Record<RunsBy, string> = {
  ci: 'CI runs it',
  rules: 'decides who reviews and merges',
  hook: 'a git hook',
  editor: 'an editor or shell runs it',
  install: 'runs on installation',
  image: 'builds an image',
  source: 'says where sources come from',
}

/** ".github/workflows/ci.yml (CI runs it)". */
export const elsewhereText = ({ path, by, gone }: Elsewhere): string =>
  `${endOfPath(oneLine(path))} (${words[by]}${gone ? '; deleted' : ''})`

/** The changes that a person is asked about. */
export const askedAbout = (changes: readonly Elsewhere[], mode: ElsewhereMode): Elsewhere[] =>
  changes.filter(({ by }) => mode === 'all' || (mode === 'ci' && by === 'ci'))

/** Words with which a person asks for such changes. */
const named: Record<RunsBy, RegExp> = {
  ci: /\b(?:CI|CD|CI\/CD|continuous (?:integration|delivery|deployment)|workflows?|pipelines?|(?:github|gitea|forgejo) actions?|gitlab[- ]ci|circle ?ci|jenkins(?:file)?|travis|buildkite|appveyor|deploy(?:s|ed|ment|ments)?|vercel|netlify|release automation)\b/i,
  rules: /\b(?:code ?owners?|reviewers|dependabot|renovate|mergify|branch protection)\b/i,
  hook: /\b(?:hooks?|husky|lefthook|pre-commit|pre-push|lint-staged)\b/i,
  editor:
    /\b(?:dev ?containers?|vs ?code|editors?|direnv|envrc|mise|gitpod|codespaces?|mcp|claude|codex|gemini|cursor)\b/i,
  install: /\b(?:(?:pre|post)?install(?:s|ed|ation|ing)?|npmrc|yarnrc|registry|registries|wrapper)\b/i,
  image: /\b(?:docker(?:file)?|containers?|containerfile|images?|compose)\b/i,
  source: /\b(?:submodules?|git ?modules|lfs)\b/i,
}

const order = Object.keys(words)
/** A long list is cut, so CI comes first. */
export const worstFirst = (changes: readonly Elsewhere[]): Elsewhere[] =>
  order.flatMap((kind) => changes.filter(({ by }) => by === kind))

/** The most changes that are named. */
const MOST_TOLD = 50

/** Names the first changes and counts the others: an agent decides how many there are. */
export function elsewhereTexts(changes: readonly Elsewhere[]): string[] {
  const told = changes.slice(0, MOST_TOLD).map(elsewhereText)
  return changes.length > told.length ? [...told, `and ${changes.length - told.length} more`] : told
}

/**
 * Whether people's words ask for a change, by the file's name or by its kind. The author of a new file chooses its
 * name, so a new name counts only if the name alone shows the program that runs it. The words are read once for all
 * files.
 */
export function asksFor(task: string): (change: Elsewhere) => boolean {
  const text = task.toLowerCase()
  const parts = new Set(text.match(PART))
  const kinds = new Set(order.filter((kind) => named[kind as RunsBy].test(task)))
  const has = (name: string): boolean => hasName(text, parts, name.toLowerCase())
  return ({ path, by, made = false }) => {
    if (kinds.has(by) || has(path)) return true
    const name = path.slice(path.lastIndexOf('/') + 1)
    return (!made || runsBy(name) === by) && /\.|^.{8}/.test(name) && has(name)
  }
}

const PART = /[\w-]+/g

/**
 * Whether the text has this name, and not only as a part of another one. The look-up in `parts` is fast and rejects
 * nearly every name.
 */
function hasName(text: string, parts: ReadonlySet<string>, name: string): boolean {
  const [first] = /[\w-]+/.exec(name) ?? []
  if (name === '' || (first !== undefined && !parts.has(first))) return false
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const [before = ' ', after = ' '] = [text[at - 1], text[at + name.length]]
    if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true
  }
  return false
}
