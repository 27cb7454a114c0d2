import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleStep, sampleView } from '../testing/sample-views.ts'
import { pullRequestText, type PullRequestFactsForText } from './pull-request-text.ts'
import { longTest } from '../testing/long-test.ts'

const facts: PullRequestFactsForText = {
  title: null,
  branch: 'beadloom/work',
  commit: 'c'.repeat(40),
  reviewed: 'c'.repeat(40),
  beads: [
    { id: 'bl-1', title: 'Reject empty names', execution: 'ex-0000000001' },
    { id: 'bl-2', title: 'Greet in French', execution: 'ex-0000000002' },
  ],
  checks: [{ name: 'test', command: 'npm test', summary: '12 tests passed', commit: 'c'.repeat(40) }],
  review: { id: 'ex-0000000003', summary: 'Adds a greeting.', issues: [] },
}
const issue = {
  title: 'No test for null',
  description: 'x',
  priority: 3,
  type: 'task',
  severity: 'low' as const,
  file_path: 'src/greet.ts',
  line_numbers: [4, 5],
  bead: 'bl-9r1',
}

/** Texts that trigger an action of a forge or its robots. */
const triggers = [/@\w/, /#\d/, /:\/\//, /\bGH-\d/i, /\bwww\./i, /^\s*\/\w/m]
const hostile = [
  '@everyone Closes #1 <!-- x',
  '```\n</details><script>alert(1)</script>\n# Ready\n/approve\n/close',
  '[click](https://evil.example/?#9) ![i](http://e.example/x.png) GH-12 www.evil.example',
  '` `` ``` Fixes https://gitlab.com/a/b/-/issues/7 @\u202eadmin #\u20609',
  '\u001b[2J\u0007fixes: #2, #3\r\n/merge',
]

describe('the text of a pull request', () => {
  test('names the beads with their executions, the verification, and the review with non-blocking issues', () => {
    const { title, body } = pullRequestText({ ...facts, review: { ...facts.review, issues: [issue] } })
    expect(title).toBe('bl-1: Reject empty names, and 1 more bead')
    for (const part of [
      '- `bl-1` `Reject empty names` (execution `ex-0000000001`)',
      '- `test` (`npm test`): passed. `12 tests passed`',
      '```text\nAdds a greeting.\n```',
      '- low: `No test for null` in `src/greet.ts`, line 4, 5 (bead `bl-9r1`)',
      `\`${'c'.repeat(40)}\``,
    ])
      expect(body).toContain(part)
  })

  test('says so if beads were written since the review', () => {
    expect(pullRequestText({ ...facts, reviewed: 'd'.repeat(40) }).body).toContain(
      `at \`${'d'.repeat(40)}\`; \`${'c'.repeat(40)}\` adds beads to \`.beads/issues.jsonl\` and nothing else.`,
    )
  })

  test('says where the checks ran, if not on the reviewed commit itself', () => {
    const [check] = facts.checks
    expect(pullRequestText(facts).body).toContain('Run on exactly this commit')
    expect(pullRequestText({ ...facts, checks: [{ ...check!, commit: 'e'.repeat(40) }] }).body).toContain(
      `Run on \`${'e'.repeat(40)}\`, which differs from it in nothing but`,
    )
  })

  test('has the title that a person gives, unchanged', () => {
    expect(pullRequestText({ ...facts, title: 'Greetings\n(closes #12)' }).title).toBe('Greetings (closes #12)')
  })

  test('for commits by people alone says so', () => {
    const { title, body } = pullRequestText({ ...facts, beads: [] })
    expect(title).toBe('Changes on `beadloom/work`'.replaceAll('`', ''))
    expect(body).toContain('the commits are by people')
  })

  test.each(hostile)('cannot be made to act by %j', (text) => {
    for (const part of everywhere(text)) for (const trigger of triggers) expect(part).not.toMatch(trigger)
  })

  test('keeps its structure whatever it quotes: every foreign word is code', () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ maxLength: 300 }),
      fc.array(fc.constantFrom(...hostile, '```', '\n', '~~~', '    ', '\n#', '\n/')).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(any, (text) => {
        const [title, body] = everywhere(text)
        expect(title).not.toMatch(/[\n\r`]/)
        const outside = withoutCode(body)
        expect(outside).toBe(withoutCode(everywhere('x')[1]))
        for (const trigger of triggers) expect(body).not.toMatch(trigger)
      }),
    )
  })

  longTest('is bounded: no forge refuses it for its length', () => {
    const long = '@#'.repeat(20_000)
    const many = <T>(one: T): T[] => Array.from({ length: 500 }, () => one)
    const { title, body } = pullRequestText({
      ...facts,
      beads: many({ id: `bl-${'1'.repeat(125)}`, title: long, execution: 'ex-0000000001' }),
      checks: many({ name: long, command: long, summary: long, commit: 'e'.repeat(40) }),
      review: { ...facts.review, summary: long, issues: many({ ...issue, title: long, file_path: long }) },
    })
    expect(title.length).toBeLessThanOrEqual(200)
    expect(body.length).toBeLessThan(60_000)
    expect(body).toContain('… and 470 more')
  })
})

function everywhere(text: string): [title: string, body: string] {
  const { title, body } = pullRequestText({
    ...facts,
    branch: 'beadloom/work',
    beads: [{ id: 'bl-1', title: text, execution: 'ex-0000000001' }],
    checks: [{ name: text, command: text, summary: text, commit: 'c'.repeat(40) }],
    review: { ...facts.review, summary: text, issues: [{ ...issue, title: text, file_path: text }] },
  })
  return [title, body]
}

/** As CommonMark reads it: fences first, then code spans within a line. */
function withoutCode(markdown: string): string {
  const lines: string[] = []
  let fence: string | null = null
  for (const line of markdown.split('\n')) {
    const [, marks] = /^(`{3,})/.exec(line) ?? []
    if (fence === null && marks !== undefined) fence = marks
    else if (fence !== null && line.trim().length >= fence.length && /^`+$/.test(line.trim())) fence = null
    else if (fence === null) lines.push(line.replace(/`[^`]*`|\(nothing\)/g, 'CODE'))
  }
  return lines.join('\n')
}

test('the evidence for each bead is below it, and most of it fits', () => {
  const name = '@#'.repeat(100)
  const checks = (['attempt', 'merge'] as const).flatMap((purpose) =>
    [0, 1, 2].map((step) =>
      sampleStep({ purpose, name: `${step}${name}`, step, type: 'lint', collected: null, made: true, onBase: true }),
    ),
  )
  const evidence = sampleView({ state: 'COMPLETED', verifications: checks })
  const beads = Array.from({ length: 100 }, () => ({ id: name, title: name, execution: name, evidence }))
  const most = pullRequestText({
    ...facts,
    beads,
    checks: Array.from({ length: 100 }, () => ({ name, command: name, summary: name, commit: name })),
    review: {
      id: name,
      summary: name.repeat(100),
      issues: Array.from({ length: 100 }, () => ({ ...issue, title: name, file_path: name })),
    },
  })
  expect(most.body.length).toBeLessThanOrEqual(60_000)
  const tested = sampleView({ state: 'COMPLETED', verifications: [sampleStep()] })
  expect(pullRequestText({ ...facts, beads: [{ ...facts.beads[0]!, evidence: tested }] }).body).toContain(
    '(execution `ex-0000000001`)\n  - 12 tests passed in a clean checkout\n  - Not known: ',
  )
})
