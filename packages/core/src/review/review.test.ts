import { describe, expect, test } from 'vitest'
import { onlyAnswer } from './ask-step.ts'
import { judgeReview, normalTitle, parseAnswer, type ReviewAnswer } from './review.ts'
import { parseOneDocument } from './review-json.ts'

const issue = {
  title: 'The total is wrong for an empty list',
  description: 'sum([]) throws.',
  priority: 1,
  type: 'bug',
  severity: 'high' as const,
  file_path: 'src/sum.ts',
  line_numbers: [3, 1, 3],
}
const answer: ReviewAnswer = { issues: [issue], summary: 'It adds.', pr_ready: true }
const wrongOf = (text: string) => {
  const parsed = parseAnswer(text)
  return 'wrong' in parsed ? parsed.wrong : null
}

describe('an answer of a reviewer', () => {
  test('is one document; lines are sorted, once each', () => {
    expect(parseAnswer(` ${JSON.stringify(answer)}\n`)).toEqual({
      answer: { ...answer, issues: [{ ...issue, line_numbers: [1, 3] }] },
    })
  })

  test('without issues may be ready, and a path may be given as it is in the container', () => {
    const parsed = parseAnswer(
      JSON.stringify({ ...answer, issues: [{ ...issue, file_path: '/workspace/src/sum.ts' }] }),
    )
    expect(parsed).toMatchObject({ answer: { issues: [{ file_path: 'src/sum.ts' }] } })
  })

  test.each([
    ['nothing', '', /no answer/],
    ['prose that says approved', 'LGTM, approved, pr_ready: true', /not one JSON document/],
    ['prose around a document', `Here it is:\n${JSON.stringify(answer)}`, /not one JSON document/],
    ['a document in a code fence', `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\``, /not one JSON document/],
    ['two documents: the first may be quoted from the diff', JSON.stringify(answer).repeat(2), /not one JSON document/],
    ['an unknown key', JSON.stringify({ ...answer, approved: true }), /unknown key "approved"/],
    ['a word for a number', JSON.stringify({ ...answer, pr_ready: 'true' }), /"pr_ready"/],
    ['NaN', '{"issues":[],"summary":"x","pr_ready":NaN}', /not one JSON document/],
    [
      'a number beyond all',
      '{"issues":[{"priority":1e999}],"summary":"x","pr_ready":true}',
      /"issues\.0\.priority"|priority/,
    ],
    ['a key twice', '{"issues":[],"summary":"x","pr_ready":false,"pr_ready":true}', /"pr_ready" twice/],
    ['a key twice, once escaped', '{"issues":[],"summary":"x","pr_ready":false,"pr\\u005fready":true}', /twice/],
    ['__proto__', '{"issues":[],"summary":"x","__proto__":{"pr_ready":true}}', /__proto__/],
    ['an escaped __proto__', '{"issues":[],"summary":"x","\\u005f_proto__":{"pr_ready":true}}', /__proto__/],
    ['too deep', `${'['.repeat(40)}${']'.repeat(40)}`, /32 levels/],
    ['too long', JSON.stringify({ ...answer, summary: 'x'.repeat(300_000) }), /256 KiB/],
    ['too many issues', JSON.stringify({ ...answer, issues: Array.from({ length: 101 }, () => issue) }), /"issues"/],
    ['too many values', `{"issues":[${'0,'.repeat(30_000)}0],"summary":"x","pr_ready":true}`, /25000 values/],
    [
      'a line that is no line',
      JSON.stringify({ ...answer, issues: [{ ...issue, line_numbers: [0] }] }),
      /line_numbers/,
    ],
  ])('that is %s is refused', (_, text, why) => expect(wrongOf(text)).toMatch(why))

  test('is expected once: two submissions are refused', () => {
    const text = JSON.stringify(answer)
    expect(onlyAnswer([text, text], parseAnswer)).toEqual({ wrong: 'there is more than one answer' })
    expect(onlyAnswer([], parseAnswer)).toEqual({ wrong: 'there is no answer' })
  })

  test('costs time linear to its length, whatever it holds', () => {
    for (const text of [`"${'\\"'.repeat(120_000)}`, '"a" '.repeat(60_000), '{"a":'.repeat(30)])
      expect(() => parseOneDocument(text, { bytes: 256 * 1024, depth: 32, values: 1_000_000 })).toThrow(
        /not one JSON document/,
      )
  })
})

describe('a verdict', () => {
  const parsed = { answer: { ...answer, issues: [] } }

  test('is ready only if the checks passed on the same commit', () => {
    expect(judgeReview(parsed, 'passed')).toEqual({ verdict: 'ready', reasons: [] })
    expect(judgeReview(parsed, 'failed')).toMatchObject({ verdict: 'not_ready', reasons: [/checks fail/] })
    expect(judgeReview(parsed, 'none')).toMatchObject({ verdict: 'not_ready', reasons: [/no checks/] })
  })

  test('is not ready when the reviewer says so, or calls something critical', () => {
    expect(judgeReview({ answer: { ...answer, pr_ready: false } }, 'passed').verdict).toBe('not_ready')
    const critical = { ...answer, issues: [{ ...issue, severity: 'critical' as const }] }
    expect(judgeReview({ answer: critical }, 'passed')).toMatchObject({ verdict: 'not_ready', reasons: [/critical/] })
  })

  test('on an unusable answer is never ready', () => {
    expect(judgeReview({ wrong: 'there is no answer' }, 'passed')).toMatchObject({ verdict: 'unparseable' })
  })
})

test('a title in slightly other words is the same issue', () => {
  expect(normalTitle('Missing null-check in `parse()` at line 12')).toBe(normalTitle('missing null check in parse'))
  expect(normalTitle('Lines 3-5: Überlauf')).toBe('überlauf')
  expect(normalTitle('Missing check in a')).not.toBe(normalTitle('Missing check in b'))
})
