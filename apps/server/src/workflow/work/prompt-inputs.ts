import { saidText } from '@beadloom/core/bead/said-text.ts'
import { taskText } from '@beadloom/core/bead/task-text.ts'
import {
  buildExecutionPrompt,
  previousAttemptText,
  withPreviousAttempt,
  type PromptInput,
} from '@beadloom/core/execution/prompt.ts'
import type { Message } from '@beadloom/core/records/message.ts'
import { storedOf, timeLimitOf, type LiveExecution } from '../../execution/live-execution.ts'
import { saidBefore } from '../../execution/said-before.ts'
import { WHERE_TESTS_ARE } from '../../verify/no-steps.ts'
import { detectAt } from '../detect-at.ts'
import { surroundings } from '../surroundings.ts'
import { besideOf } from '../task-of.ts'
import type { CheckLog } from './check-logs.ts'
import { conflictBefore } from './joining.ts'

/** The failures of earlier attempts: a digest, and files with the checks' whole output. */
export type FailedBefore = { digest: string; logs: readonly CheckLog[] }

/**
 * Attempt 1 is the plain execution prompt, byte for byte; its branch's notes are in the section of the person's own
 * words. Later ones carry the digest of the earlier failures, and name the files with all of it. `task`: the first
 * attempt's prompt. `failed`: the section about the failures alone.
 *
 * @param told messages that its agent has from this prompt
 */
export async function promptFor(
  live: LiveExecution,
  attempt: number,
  before: FailedBefore | null,
  told: readonly Message[],
): Promise<{ prompt: string; task: string; failed: string | null }> {
  const inputs = await inputsOf(live, told)
  const task = buildExecutionPrompt(inputs)
  if (attempt === 1 || before === null) return { prompt: task, task, failed: null }
  const { maxAttempts } = storedOf(live)
  const conflict = await conflictBefore(live, attempt)
  const logs = before.logs.map(({ path }) => path)
  const previous = { attempt, maxAttempts, digest: before.digest, conflict, checks: live.settings.verify, logs }
  return { prompt: withPreviousAttempt(inputs, previous), task, failed: previousAttemptText(inputs, previous) }
}

async function inputsOf(live: LiveExecution, told: readonly Message[]): Promise<PromptInput> {
  const { bead, settings } = live
  const { context, notice, baseCommit } = storedOf(live)
  const test = await testsOf(live)
  const said = saidBefore(live).filter(({ id }) => !told.some((one) => one.id === id))
  return {
    bead: { id: bead.id, title: bead.title, description: bead.description },
    projectName: settings.name,
    techStack: settings.techStack,
    testCommand: test.command,
    timeoutMs: timeLimitOf(live),
    userContext: [
      context,
      taskText({ description: '', ...besideOf(live) }, MOST_BESIDE * 2),
      notice,
      saidText([...said, ...told]),
      test.notice,
      ...(await surroundings(live, baseCommit, false)),
    ]
      .filter(Boolean)
      .join('\n\n'),
  }
}

/** The limit of each text that a tracker keeps apart from the description: longer than a person would write. */
const MOST_BESIDE = 20_000

/** If the base branch has no tests, the branch may: another bead has made them. Else this one is told to. */
async function testsOf(live: LiveExecution): Promise<{ command: string; notice: string | null }> {
  const { settings, deps, project } = live
  if (settings.test !== null) return { command: settings.test, notice: null }
  if (settings.unverified) return { command: 'none: this project has its work checked by nothing', notice: null }
  const { baseCommit } = storedOf(live)
  const found = baseCommit === null ? null : (await detectAt(deps, project.id, baseCommit)).test
  return found === null ? { command: TO_MAKE, notice: NO_TESTS_YET } : { command: found, notice: null }
}

const TO_MAKE = 'none yet: create a test suite first, as ADDITIONAL CONTEXT says'

const NO_TESTS_YET = `This project has no test suite yet, so creating one is part of this task. Write tests for what you change, and make their command known by one of these: ${WHERE_TESTS_ARE}. When you have ended, the command is looked for on your commit and run on a clean checkout of it; without a test suite that passes there, the task is not done.`
