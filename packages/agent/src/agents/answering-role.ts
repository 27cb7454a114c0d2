import { findBlocked } from '@beadloom/core/bead/blocked.ts'
import { oneLine } from '@beadloom/core/text/one-line.ts'
import { strictSchema } from '@beadloom/core/review/strict-schema.ts'
import type { AgentEnd } from '../ends/agent-end.ts'
import type { AnswerForm } from '../tools/answer-form.ts'
import type { AgentRole, Verdict } from '../loop/agent-role.ts'
import type { ModelAnswer, ModelFailure, ModelRequest } from '../loop/model-call.ts'
import { bash } from '../tools/bash.ts'
import { checkTokenBudget } from '../tools/check-token-budget.ts'
import { readFile } from '../tools/read-file.ts'
import { search } from '../tools/search.ts'
import { submitAnswer } from '../tools/submit-answer.ts'

/** The receivers of its words: `take` gets the unchanged answer, `warn` each problem on the way. */
export type AnsweringDeps = {
  take: (answer: string) => Promise<void>
  warn: (text: string) => Promise<void>
}

/**
 * The built-in agent as a reader that gives one document. It looks around with tools until it says that it is done.
 * Then it is asked for the document in a fixed form, without tools, since not every server takes both at once. If the
 * form is refused or ignored, the document becomes a tool call for the rest of the session.
 */
export function answeringRole(workspace: string, form: AnswerForm, { take, warn }: AnsweringDeps): AgentRole {
  let stage: 'looking' | 'asked' | 'tool' = 'looking'
  let submitted = false
  const give = async (answer: string) => {
    await take(answer)
    submitted = true
  }
  const submit = submitAnswer(form, give)
  const { ask, byTool, submittedEnd, response } = wordsOf(form)
  const goOnByTool = async (why: string): Promise<void> => {
    stage = 'tool'
    await warn(
      `the model did not answer with a document of the form that was asked for (${why}); it is now asked for a tool call`,
    )
  }

  const hearDocument = async ({ text, finish }: ModelAnswer): Promise<Verdict | null> => {
    if (finish === 'length') return noAnswer("the answer was cut off at the model's maximum length")
    if (findBlocked([text]) !== null) return null
    const parsed = form.parse(text)
    if ('wrong' in parsed) {
      await goOnByTool(parsed.wrong)
      return { nudge: `That could not be used: ${parsed.wrong}. ${byTool}` }
    }
    await give(text)
    return { end: submittedEnd }
  }

  return {
    system: form.system(workspace),
    tools: () => (stage === 'asked' ? [] : stage === 'tool' ? [...LOOKING, submit] : LOOKING),
    form: () => (stage === 'asked' ? response : null),
    end: () => (submitted ? submittedEnd : null),
    unusable: (why) => noAnswer(why).end,

    isDocument: ({ text }) => stage === 'asked' && 'answer' in form.parse(text),

    async refused(failure) {
      if (stage !== 'asked' || !isAboutTheForm(failure)) return null
      await goOnByTool(failure.message)
      return byTool
    },

    async heard(answer) {
      const { text, refusal, calls, finish } = answer
      if (finish === 'content_filter') return noAnswer("the model's content filter stopped the answer")
      if (refusal.trim() !== '') return noAnswer(`the model refused: ${oneLine(refusal).slice(0, 500).toWellFormed()}`)
      if (calls.length > 0) {
        if (stage === 'asked') await goOnByTool('it called a tool')
        return null
      }
      if (stage === 'asked') return hearDocument(answer)
      if (finish === 'length' || text.trim() === '' || findBlocked([text]) !== null) return null
      if (stage === 'tool') return { nudge: byTool, useless: true }
      stage = 'asked'
      return { nudge: ask }
    },
  }
}

const LOOKING = [bash, search, readFile, checkTokenBudget]

function wordsOf({ name, schema }: AnswerForm) {
  const response: NonNullable<ModelRequest['response_format']> = {
    type: 'json_schema',
    json_schema: { name, strict: true, schema: strictSchema(schema) },
  }
  const submittedEnd: AgentEnd = { outcome: 'success', text: `the ${name} was submitted`, exitCode: null }
  return {
    ask: `Give your ${name} now: one JSON document of the form that you were told, and nothing else.`,
    byTool: `Give your ${name} by calling submit_${name}, once. Text is not read.`,
    submittedEnd,
    response,
  }
}

/** The session did what it could. The server sees that there is no answer, and asks once more. */
const noAnswer = (text: string): { end: AgentEnd } => ({ end: { outcome: 'success', text, exitCode: null } })

/**
 * Statuses with which servers refuse a form that they do not know; 5xx if they crash on it. Other statuses are not
 * about the form.
 */
const REFUSING: ReadonlySet<number> = new Set([400, 404, 415, 422, 500, 501])

const isAboutTheForm = ({ kind, status, message }: ModelFailure): boolean =>
  kind === 'refused' &&
  (status === null ? /response_format|json_schema|structured|grammar/i.test(message) : REFUSING.has(status))
