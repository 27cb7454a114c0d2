import { endOfPath } from '../text/end-of-path.ts'
import { oneLine } from '../text/one-line.ts'
import { runsBy, type RunsBy } from './elsewhere-files.ts'

/** Which changes of what runs elsewhere need a person's word before they are published, unless the bead names them. */
export const elsewhereModes = ['ci', 'all', 'tell'] as const
export type ElsewhereMode = (typeof elsewhereModes)[number]

/** The check that asks for it. */
export const NOTHING_ELSEWHERE = 'nothing runs elsewhere'

/** A file that changed. `by`: what runs it; `made`: it was not there; `gone`: it was deleted. */
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

/** Keeps the changes that a person is asked about. */
export const askedAbout = (changes: readonly Elsewhere[], mode: ElsewhereMode): Elsewhere[] =>
  changes.filter(({ by }) => mode === 'all' || (mode === 'ci' && by === 'ci'))

/** The words by which a person asks for them. */
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
/** A long list is cut when it is told, so CI comes before all else. */
export const worstFirst = (changes: readonly Elsewhere[]): Elsewhere[] =>
  changes.toSorted((one, other) => order.indexOf(one.by) - order.indexOf(other.by))

/**
 * A word of people asks for the change: by the file, or by what it is. Whoever makes a new file chooses its name, so there the
 * name counts only where it says by itself what runs it.
 */
export function isAskedFor({ path, by, made = false }: Elsewhere, task: string): boolean {
  if (named[by].test(task) || hasName(task, path)) return true
  const name = path.slice(path.lastIndexOf('/') + 1)
  return (!made || runsBy(name) === by) && /\.|^.{8}/.test(name) && hasName(task, name)
}

/** The name by itself, and no part of another one. */
function hasName(text: string, name: string): boolean {
  const [all, wanted] = [text.toLowerCase(), name.toLowerCase()]
  if (wanted === '') return false
  for (let at = all.indexOf(wanted); at !== -1; at = all.indexOf(wanted, at + 1)) {
    const [before = ' ', after = ' '] = [all[at - 1], all[at + wanted.length]]
    if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true
  }
  return false
}
