import { endOfPath } from '../text/end-of-path.ts'
import { oneLine } from '../text/one-line.ts'
import type { RunsBy } from './elsewhere-files.ts'

/** Which changes of what runs elsewhere need a person's word before they are published, unless the bead names them. */
export const elsewhereModes = ['ci', 'all', 'tell'] as const
export type ElsewhereMode = (typeof elsewhereModes)[number]

/** The check that asks for it. */
export const NOTHING_ELSEWHERE = 'nothing runs elsewhere'

/** A file that changed. `by`: what runs it; `gone`: it was deleted. */
export type Elsewhere = { path: string; by: RunsBy; gone: boolean }

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

/** A word of people asks for the change: by the file, its folder, or what it is. */
export function isAskedFor({ path, by }: Elsewhere, task: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return named[by].test(task) || task.toLowerCase().includes(name.toLowerCase())
}
