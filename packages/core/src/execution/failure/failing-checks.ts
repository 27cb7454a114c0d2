import { capital } from '../../text/sentence.ts'
import type { StepType } from '../../digest/digest-tool.ts'
import { CHECKED, TESTS_KEPT } from '../allowed.ts'
import { NOTHING_ELSEWHERE } from '../../elsewhere/elsewhere-words.ts'
import { NO_SECRETS } from '../../secrets/secret-words.ts'
import { oneLine } from '../../text/one-line.ts'
import { COMMAND_NOT_FOUND, JOINED, OWN_CHECKS } from '../next-step.ts'
import type { Verification } from '../../records/verification.ts'

type Failing = Pick<Verification, 'type' | 'name' | 'tool' | 'exitCode' | 'digest' | 'summary'>

const MAX_NAME = 60

/** The summary of tests that pass although what they are about is not implemented yet. */
export const PASS_EARLY = 'the new tests pass already'

/** Whether tests that pass too early are all that is wrong. Other checks fail with exit code 0, too. */
export const onlyPassEarly = (failures: readonly Pick<Verification, 'type' | 'summary'>[]): boolean =>
  failures.length > 0 && failures.every(({ type, summary }) => type === 'test' && summary === PASS_EARLY)

/** A kind of step, as a title. */
const titles: Partial<Record<StepType, string>> = {
  test: 'Tests failing',
  build: 'Build failing',
  lint: 'Lint failing',
}

/** The failure as a title: "Lint failing", "Command not found: eslint". Several kinds together are called checks. */
export function failingTitle(failures: readonly Failing[]): string {
  const own = failures.find(({ tool }) => tool === OWN_CHECKS)
  if (own) return ownTitle(own)
  const missing = failures.find(({ exitCode }) => exitCode === COMMAND_NOT_FOUND)
  if (missing) return `Command not found: ${programIn(missing) ?? `step "${nameOf(missing)}"`}`
  if (onlyPassEarly(failures)) return 'New tests pass too early'
  const [first] = failures
  if (!first) return 'Tests failing'
  if (failures.some(({ type }) => type !== first.type)) return 'Checks failing'
  const title = titles[first.type]
  if (title !== undefined) return title
  return failures.length === 1 ? `Check "${nameOf(first)}" failing` : 'Checks failing'
}

/** The program that a shell did not find, by its message in the output; null if no known message is there. */
export function programIn({ digest, summary }: Pick<Failing, 'digest' | 'summary'>): string | null {
  for (const pattern of shells) {
    const name = pattern.exec(`${digest}\n${summary}`)?.[1]
    if (name !== undefined) return oneLine(name).slice(0, MAX_NAME)
  }
  return null
}

/** The same for a program that ends with an exit code of its own: make, or an npm script that it calls. */
export const calledProgram = (output: string): string | null =>
  /\b(?:error|code|status)[ :=]+127\b/i.test(output) ? programIn({ digest: output, summary: '' }) : null

/**
 * "sh: 1: eslint: not found", "bash: line 1: eslint: command not found", "zsh: command not found: x", "env: 'x': …".
 * Digests indent the lines of a finding.
 */
const shells = [
  /^[ \t]*(?:\S+: )+(?:line )?(?:\d+: )?([^\s:'"]+): (?:command )?not found\b/m,
  /\bcommand not found: ([^\s:'"]+)/,
  /^[ \t]*make(?:\[\d+\])?: ([^\s:'"]+): No such file or directory$/m,
  /^[ \t]*(?:\S*\/)?env: ['"‘“]?([^\s:'"’”]+)['"’”]?: No such file or directory/m,
]

const OWN_TITLES: ReadonlyMap<string, string> = new Map([
  ['commit', 'Nothing committed'],
  [TESTS_KEPT, 'Tests weakened'],
  [CHECKED, 'Not checked'],
  [NO_SECRETS, 'Secret found'],
  [NOTHING_ELSEWHERE, 'Changes files that run elsewhere'],
  [JOINED, 'Conflict with other work'],
])

/** The title of Beadloom's own check comes from its name. */
const ownTitle = ({ name, summary }: Failing): string =>
  OWN_TITLES.get(name) ?? capital(oneLine(summary || name).slice(0, MAX_NAME))

const nameOf = ({ name }: Pick<Failing, 'name'>): string => oneLine(name).slice(0, MAX_NAME)
