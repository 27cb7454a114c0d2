import {
  buildJudgePrompt,
  isInTheWay,
  JUDGE_SYSTEM,
  JudgeAnswer,
  judgeDigest,
  opinionText,
} from '@beadloom/core/review/judge.ts'
import { taskText } from '@beadloom/core/bead/task-text.ts'
import { heardIn, refusedForm, type Heard } from '@beadloom/core/review/judge-reply.ts'
import { strictSchema } from '@beadloom/core/review/strict-schema.ts'
import { JUDGE } from '@beadloom/core/execution/next-step.ts'
import type { JudgeStep, Opinion, Verification } from '@beadloom/core/records/verification.ts'
import { capDigest } from '@beadloom/core/digest/cap.ts'
import { TRACKER_FILE } from '@beadloom/core/records/tracker-file.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { EndedEarly, failed } from '../execution/ends.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { saidBefore } from '../execution/said-before.ts'
import { throwIfStopped } from '../execution/stop.ts'
import { limited } from '../process/within.ts'
import { askGateway, type Answered } from '../sandbox/ask-gateway.ts'
import { modelFor, type Handler } from '../sandbox/model-access.ts'
import type { OpenSession } from '../sandbox/session-plan.ts'
import { diffFiles } from './diff-files.ts'
import { ownCheck, type CommonOfRows } from './own-check.ts'

const MOST_SUMMARY = 200
/** Leaves room for what people have said within what a judge is shown. */
const MOST_OF_TASK = 5_000
const NO_MORE = { acceptance: '', design: '' }

/**
 * Asks each judge about a commit that has passed every command, and returns a row for each answer. A judge cannot turn
 * a failed command into a passed one. A required judge that does not say yes fails the verification.
 *
 * @param since where the bead's own work begins
 * @throws EndedEarly if a required judge gave no answer: that is not the fault of the work
 */
export async function askJudges(
  live: LiveExecution,
  judges: readonly JudgeStep[],
  since: string,
  rows: readonly Verification[],
): Promise<Verification[]> {
  const said: Verification[] = []
  const [first] = rows
  const last = rows.at(-1)
  if (!first || !last) return said
  const { attempt, purpose, run, session, commit } = first
  for (const judge of judges) {
    const common = { attempt, purpose, run, session, commit, step: last.step + said.length + 1 }
    said.push(await askJudge(live, judge, since, common))
  }
  return said
}

async function askJudge(
  live: LiveExecution,
  judge: JudgeStep,
  since: string,
  common: CommonOfRows & { step: number },
): Promise<Verification> {
  const { clock, store } = live.deps
  const started = clock.monotonic()
  const heard = await live.watchdog.whileOursToWait(() => hear(live, judge, since, common))
  throwIfStopped(live.stopper)
  const { name, required } = judge
  const { model } = heard
  const answer = 'wrong' in heard ? 'none' : heard.answer.passed ? 'yes' : 'no'
  const opinion: Opinion = { model, answer, required }
  const why = 'wrong' in heard ? heard.wrong : heard.answer.summary
  if (answer !== 'yes') {
    const text = `attempt ${common.attempt}, judge ${name}: ${opinionText(opinion, why)}`
    await store.flagExecution(live.id, { kind: 'opinion', text: text.slice(0, 1000).toWellFormed() })
  }
  if (answer === 'none' && required)
    throw new EndedEarly(failed({ kind: 'judge_unanswered', judge: name, detail: why }))
  return {
    ...ownCheck(live, {
      ...common,
      name,
      summary: opinionText(opinion, why).slice(0, MOST_SUMMARY).toWellFormed(),
      digest: 'answer' in heard && answer === 'no' ? capDigest(judgeDigest(judge, model, heard.answer)) : '',
    }),
    passed: !isInTheWay(opinion),
    tool: JUDGE,
    durationMs: clock.monotonic() - started,
    opinion,
  }
}

/** Its calls count for the session of the commit in question. */
async function hear(
  live: LiveExecution,
  judge: JudgeStep,
  since: string,
  { session: id, attempt, commit }: CommonOfRows,
): Promise<Heard> {
  const { hub, clock } = live.deps
  const { bead, project, settings, stopper } = live
  const model = judge.model ?? settings.model
  const known = model ?? "the server's model"
  return limited({ clock, ms: judge.timeoutMs, or: stopper.signal }, async (signal) => {
    const session: OpenSession = {
      plan: { id, attempt, agent: `judge:${bead.id}`, signal },
      refused: null,
      unanswered: null,
      ended: false,
    }
    try {
      const files = await diffFiles(hub, project.id, since, commit, TRACKER_FILE)
      const said = saidBefore(live)
      const description = said.length === 0 ? bead.description : taskText({ ...NO_MORE, ...bead, said }, MOST_OF_TASK)
      const prompt = buildJudgePrompt({ question: judge.prompt, bead: { ...bead, description }, files })
      const answered = await ask(modelFor(live, session, model), known, prompt, signal)
      if (session.refused) stopper.stop({ stop: 'budget', limit: session.refused })
      return heardIn(answered, known)
    } catch (error) {
      if (!signal.aborted && !isBroken(error)) throw error
      const late = `it did not answer within ${Math.round(judge.timeoutMs / 1000)} s`
      return { model: known, wrong: signal.aborted ? late : messageOf(error) }
    } finally {
      session.ended = true
    }
  })
}

/** Asks with the answer's form if the server supports it; else the prompt has to do. */
async function ask(gateway: Handler, model: string, prompt: string, signal: AbortSignal): Promise<Answered> {
  const question = {
    model,
    messages: [
      { role: 'system', content: JUDGE_SYSTEM },
      { role: 'user', content: prompt },
    ],
  }
  const form = {
    type: 'json_schema',
    json_schema: { name: 'judgement', strict: true, schema: strictSchema(JudgeAnswer) },
  }
  const answered = await askGateway(gateway, { ...question, response_format: form }, signal)
  return refusedForm(answered) ? askGateway(gateway, question, signal) : answered
}

/** The gateway hung up, or the connection broke; anything else is a bug of ours. */
const isBroken = (error: unknown): boolean => error instanceof Error && 'code' in error
