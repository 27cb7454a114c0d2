import { commitMessage } from '../records/branch.ts'
import { capDigest } from '../digest/cap.ts'
import { oneLine } from '../text/one-line.ts'
import { EXECUTION_FOLDER } from './session-order.ts'
import { stepWords, type VerifyStep } from '../records/verification.ts'

export type PromptInput = {
  bead: { id: string; title: string; description: string }
  projectName: string
  techStack: readonly string[]
  testCommand: string | null
  /** Wall-clock limit of the execution in milliseconds, printed in the largest unit that divides it. */
  timeoutMs: number
  /** Free text that the person gave when queueing; may be empty. */
  userContext: string
}

/**
 * `maxAttempts` and `attempt` count sessions from 1; `digest` belongs to attempt `attempt - 1`. `conflict`: that
 * attempt passed its checks and could not be merged; this text replaces the digest. `checks`: everything that the work
 * has to pass. `logs`: files of the execution's folder with the whole output of failed checks.
 */
export type PreviousAttempt = {
  attempt: number
  maxAttempts: number
  digest: string
  conflict?: string | null
  checks?: readonly Pick<VerifyStep, 'name' | 'command'>[]
  logs?: readonly string[]
}

/** The words behind "Set", for values that people give. */
const remedies: Readonly<Record<string, string>> = {
  'bead title': 'the title in the tracker',
  'tech stack': '"techStack" in beadloom.json',
  'test command': '"test" in beadloom.json',
}

/** Thrown instead of starting an agent with a gap in its instructions. Names every missing value at once. */
export class MissingPromptValue extends Error {
  override name = 'MissingPromptValue'
  readonly missing: readonly string[]
  constructor(bead: string, missing: readonly string[]) {
    const steps = missing.flatMap((one) => remedies[one] ?? [])
    const advice = steps.length === 0 ? '' : `. Set ${steps.join(' and ')}`
    super(`the prompt for bead ${bead || '(no id)'} cannot be written without: ${missing.join(', ')}${advice}`)
    this.missing = missing
  }
}

/**
 * The agent's prompt, byte for byte; it begins and ends with a newline. A title with line breaks is put on one line, as
 * in the commit message, so that it cannot pose as a section.
 */
export function buildExecutionPrompt(input: PromptInput): string {
  const { bead, projectName, techStack, testCommand } = checked(input)
  return `
=== SYSTEM INSTRUCTIONS ===
You are working on a task in an isolated container.

TASK: Bead #${bead.id} - ${oneLine(bead.title)}
${bead.description}

PROJECT: ${projectName}
Tech Stack: ${techStack.join(', ')}
Test Command: ${testCommand}

=== WORKFLOW ===
1. Implement the required changes
2. Create/update tests (ALWAYS create test suite if none exists)
3. Run test suite: ${testCommand}
4. If tests fail: Fix and retry ONCE
   - Still failing? Output test failure details and STOP
5. If tests pass:
   - Commit with message: "${commitMessage(bead.id, bead.title)}"
   - Push to remote
   - If push fails: try 'git pull --rebase' then push
   - If still fails: output conflict details and STOP

=== STOPPING CONDITIONS ===
✅ SUCCESS: Tests pass AND changes committed AND pushed
🛑 BLOCKED: Output "BLOCKED: [reason]" if you cannot proceed

=== CONSTRAINTS ===
- Work autonomously (no human in the loop)
- One retry attempt for test failures
- One rebase attempt for push conflicts
- Output progress clearly as you work
- Timeout: ${inFull(input.timeoutMs)}

=== ADDITIONAL CONTEXT ===
${input.userContext}

=== BEGIN WORK ===
`
}

/**
 * The prompt of any attempt. The first is exactly `buildExecutionPrompt`; a later one adds the failure at the end of
 * ADDITIONAL CONTEXT, so that the task stays complete and comes first. The digest is capped.
 */
export function withPreviousAttempt(input: PromptInput, previous: PreviousAttempt): string {
  const { attempt, maxAttempts } = previous
  if (!Number.isInteger(attempt) || attempt < 1 || attempt > maxAttempts) {
    throw new RangeError(`attempt ${attempt} of ${maxAttempts} does not exist`)
  }
  if (attempt === 1) return buildExecutionPrompt(input)
  const block = previousAttemptText(input, previous)
  const userContext = input.userContext === '' ? block : `${input.userContext}\n\n${block}`
  return buildExecutionPrompt({ ...input, userContext })
}

/** Why the attempt before failed, for an agent that has the task already. */
export function previousAttemptText(
  { testCommand }: Pick<PromptInput, 'testCommand'>,
  { attempt, digest, conflict = null, checks = [], logs = [] }: Omit<PreviousAttempt, 'maxAttempts'>,
): string {
  return [
    '---',
    `PREVIOUS ATTEMPT ${attempt - 1} ${conflict === null ? 'FAILED VERIFICATION' : 'CONFLICTS WITH OTHER WORK'}:`,
    conflict ?? `${capDigest(digest)}${checkLogWords(logs)}`,
    ...checksText(checks, testCommand),
    '---',
    conflict === null
      ? 'Fix the issues above and complete the original task.'
      : 'Join the two as said above, so that the original task is complete and the other work is kept.',
  ].join('\n')
}

/**
 * Names the files with whole output in the execution's folder, newest first, to follow a digest; '' if there are none.
 */
export const checkLogWords = (paths: readonly string[]): string =>
  paths.length === 0
    ? ''
    : `\n\nThe full output of the failed checks, the newest first: ${paths.map((path) => `${EXECUTION_FOLDER}/${path}`).join(', ')}`

/** The prompt already has the test command; this adds the other checks, which the agent could not know. */
function checksText(checks: NonNullable<PreviousAttempt['checks']>, testCommand: string | null): string[] {
  if (checks.every(({ command }) => command === testCommand)) return []
  return [
    '',
    'All of these have to pass, in this order, on a clean checkout of your commit:',
    ...checks.map((check) => `- ${stepWords(check)}`),
  ]
}

const units = [
  { name: 'hour', ms: 3_600_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'second', ms: 1_000 },
] as const

/** Milliseconds in the largest unit that fits exactly: "6 hours", "90 minutes", "45 seconds", "250 milliseconds". */
function inFull(ms: number): string {
  const unit = units.find((one) => ms >= one.ms && ms % one.ms === 0) ?? { name: 'millisecond', ms: 1 }
  const count = ms / unit.ms
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`
}

function checked(input: PromptInput): PromptInput {
  const { bead, projectName, techStack, testCommand, timeoutMs } = input
  const missing: string[] = []
  if (isBlank(bead.id)) missing.push('bead id')
  if (isBlank(bead.title)) missing.push('bead title')
  if (isBlank(projectName)) missing.push('project name')
  if (techStack.length === 0 || techStack.some(isBlank)) missing.push('tech stack')
  if (isBlank(testCommand)) missing.push('test command')
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0) missing.push('timeout')
  if (missing.length > 0) throw new MissingPromptValue(bead.id, missing)
  return input
}

/** Does not trust the types: `undefined` would be printed as a word. */
const isBlank = (value: string | null | undefined): boolean => typeof value !== 'string' || oneLine(value) === ''
