import { expect, test } from 'vitest'
import '../../settings/config-error.ts' // its words for refusals
import { ChangeBead, NewBead } from './bead-requests.ts'

const problemsOf = (parsed: { error?: { issues: readonly { message: string }[] } | undefined }) =>
  parsed.error?.issues.map(({ message }) => message) ?? []

test.each([
  ['title', '   '],
  ['title', ''],
  ['title', '\n'],
  ['title', 'a\nb\u0000c'],
  ['title', '\u001B[31mred\u001B]0;pwn\u0007'],
  ['title', 'x'.repeat(501)],
  ['description', 'a\u0000b'],
  ['description', 'x'.repeat(50_001)],
  ['type', 'wizard'],
  ['priority', 5],
])('a new bead is refused what a change is refused, in the same words: %s %j', (field, to) => {
  const asNew = problemsOf(NewBead.safeParse({ title: 'Sort', [field]: to }))
  const asChange = problemsOf(ChangeBead.safeParse({ [field]: { was: field === 'priority' ? 1 : 'a', to } }))
  expect(asNew).not.toEqual([])
  expect(asNew).toEqual(asChange)
})

test.each(['a,b', ' x', 'x ', '', 'a\nb'])('the label %j is refused in a new bead and in a change', (label) => {
  const asNew = problemsOf(NewBead.safeParse({ title: 'Sort', labels: [label] }))
  expect(asNew).not.toEqual([])
  expect(asNew).toEqual(problemsOf(ChangeBead.safeParse({ labels: { add: [label] } })))
})

test('a new bead may have the description of a change, with every kind of text', () => {
  const description = `${'w'.repeat(49_000)}\n\t<b> & "quotes"`
  expect(NewBead.parse({ title: 'Sort', description })).toEqual({ title: 'Sort', description })
})

test('a new bead whose line no tracker could take is refused, with the reason', () => {
  for (const description of ['語'.repeat(30_000), '<'.repeat(12_000), '\u0001'.repeat(12_000)])
    expect(problemsOf(NewBead.safeParse({ title: 'Sort', description }))).toEqual([
      'its line in the tracker would be longer than 64 KiB, which bd cannot read',
    ])
})
