import { z } from 'zod/mini'
import { oneLine } from '../text/one-line.ts'
import { describeIssue } from '../settings/config-error.ts'
import { NotOneDocument, parseOneDocument } from './review-json.ts'
import { severities } from './severity.ts'

/** Bounds of an answer, because it comes from a container. The longest possible review has 21,000 values. */
export const answerBounds = { bytes: 256 * 1024, depth: 32, values: 25_000 } as const
const MOST_ISSUES = 100

const bounded = (longest: number) => z.string().check(z.minLength(1), z.maxLength(longest))

export const ReviewIssue = z.strictObject({
  title: bounded(200).check(z.describe('What is wrong, in one line')),
  description: bounded(10_000).check(
    z.describe(
      'Why it is wrong, when it happens, and what would be right; somebody who has not seen this review fixes it',
    ),
  ),
  priority: z.int().check(z.minimum(0), z.maximum(4), z.describe('0: at once … 4: some day')),
  type: z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,39}$/), z.describe('bug, task, feature or chore; in lower case')),
  severity: z.enum(severities),
  file_path: bounded(4096).check(z.describe('The file, as the diff names it')),
  line_numbers: z
    .array(z.int().check(z.minimum(1), z.maximum(10_000_000)))
    .check(z.maxLength(200), z.describe('Lines of the file as it is now; empty where it is about the whole file')),
})
export type ReviewIssue = z.infer<typeof ReviewIssue>

/** The one form of a reviewer's answer. */
export const ReviewAnswer = z.strictObject({
  issues: z.array(ReviewIssue).check(z.maxLength(MOST_ISSUES)),
  summary: bounded(20_000).check(z.describe('What the change does and how good it is, in a few sentences')),
  pr_ready: z.boolean().check(z.describe('true: it may be merged as it is')),
})
export type ReviewAnswer = z.infer<typeof ReviewAnswer>

export type ParsedAnswer = { answer: ReviewAnswer } | { wrong: string }

/** The problems named at once, so that an agent that is asked again can fix all of them. */
const NAMED = 10

/** Only a text that is one document of this form is an answer; no document is searched inside of other text. */
export function parseAnswer(text: string): ParsedAnswer {
  const parsed = parseDocument(ReviewAnswer, text)
  if ('wrong' in parsed) return parsed
  return { answer: { ...parsed.answer, issues: parsed.answer.issues.map(tidy) } }
}

/** Exactly one document of a form, and nothing around it. */
export function parseDocument<T>(form: z.ZodMiniType<T>, text: string): { answer: T } | { wrong: string } {
  try {
    const parsed = form.safeParse(parseOneDocument(text, answerBounds))
    if (parsed.success) return { answer: parsed.data }
    const problems = parsed.error.issues.slice(0, NAMED).map(describeIssue)
    return { wrong: `the answer does not have the form that was asked for: ${oneLine(problems.join('; '))}` }
  } catch (error) {
    if (error instanceof NotOneDocument) return { wrong: oneLine(error.message) }
    throw error
  }
}

function tidy(issue: ReviewIssue): ReviewIssue {
  return {
    ...issue,
    title: oneLine(issue.title) || '(no title)',
    file_path: oneLine(issue.file_path).replace(/^(?:\/workspace\/|\.\/)+/, '') || '(no file)',
    line_numbers: [...new Set(issue.line_numbers)].sort((a, b) => a - b),
  }
}

/**
 * A title without the differences of slightly different wordings: the same issue in the same file is one issue. Line
 * numbers are removed, because they move with every commit.
 */
export const normalTitle = (title: string): string =>
  title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\b(?:(?:at|on|in|near)\s+)?(?:lines?|l\.?)\s*\d+(?:\s*[-–,]\s*\d+)*/gu, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** The result of the project's own checks on the commit. `none`: the project has none. */
export type CheckState = 'passed' | 'failed' | 'none' | 'not_run'

export const reviewVerdicts = ['ready', 'not_ready', 'unparseable'] as const
export type ReviewVerdict = (typeof reviewVerdicts)[number]

export type Judgement = {
  verdict: ReviewVerdict
  /** Why it is not ready; empty if it is. */
  reasons: string[]
}

/**
 * The verdict. A reviewer alone makes nothing ready: the server must have run the project's own checks on the same
 * commit, and they must have passed. The reviewer's answer can only make it worse.
 */
export function judgeReview(parsed: ParsedAnswer, checks: CheckState): Judgement {
  if ('wrong' in parsed) {
    return {
      verdict: 'unparseable',
      reasons: [`the reviewer gave no usable answer, even when asked again: ${parsed.wrong}`],
    }
  }
  const { answer } = parsed
  const reasons: string[] = []
  if (!answer.pr_ready) reasons.push('the reviewer says that it is not ready')
  const critical = answer.issues.filter(({ severity }) => severity === 'critical').length
  if (critical > 0 && answer.pr_ready)
    reasons.push(`the reviewer found ${critical === 1 ? 'a critical issue' : `${critical} critical issues`}`)
  if (checks === 'failed') reasons.push("the project's checks fail on this commit")
  if (checks === 'none') reasons.push('the project has no checks to run on this commit (set "test" in beadloom.json)')
  return { verdict: reasons.length === 0 ? 'ready' : 'not_ready', reasons }
}
