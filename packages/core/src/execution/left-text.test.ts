import { expect, test } from 'vitest'
import { committedText, keptTakes, leftIn, leftText, namesKept, withKept, withoutKept } from './left-text.ts'

const fetch = (ref: string) => `git fetch /hub ${ref}`

test('if nothing is left nothing is said', () => {
  expect(leftText({ refs: [], containers: [] }, fetch)).toBe('')
  expect(keptTakes([])).toBe('')
})

test('refs and containers are named with the command for each', () => {
  const containers = [{ name: 'beadloom-ex-1-work', bytes: 3 * 1024 ** 3 }]
  expect(leftText({ refs: ['refs/beadloom/ex-1/left'], containers }, fetch)).toBe(
    " Its unsaved work is saved on refs/beadloom/ex-1/left. To see it in a clone on the server's machine: git fetch /hub refs/beadloom/ex-1/left, then look at FETCH_HEAD. Unsaved work is in the container beadloom-ex-1-work, which is kept and takes 3 GiB. To save it: beadloom containers save beadloom-ex-1-work.",
  )
})

test('for many refs the newest are named, how many more there are, and the command for all', () => {
  const refs = ['a', 'b', 'c', 'd', 'e'].map((name) => `refs/beadloom/ex-1/${name}`)
  const text = leftText({ refs, containers: [] }, fetch)
  expect(text).toMatch(/saved on \S+\/c and \S+\/d and \S+\/e and 2 more\. /)
  expect(text).toContain("To have all: git fetch /hub 'refs/beadloom/ex-1/*:refs/beadloom/ex-1/*'.")
  expect(leftText({ refs: refs.slice(2), containers: [] }, fetch)).not.toMatch(/more|all/)
})

test('a person who has to make room is told the size of kept containers, the largest first', () => {
  const kept = [
    { name: 'one', bytes: 1024 ** 2 },
    { name: 'two', bytes: null },
    { name: 'three', bytes: 2 * 1024 ** 3 },
    { name: 'four', bytes: 3 },
  ]
  expect(keptTakes(kept)).toBe(
    ' Containers that are kept with unsaved work take 2 GiB: three (2 GiB), one (1 MiB), four (3 B) and 1 more ("beadloom containers save NAME" or "discard NAME").',
  )
})

test('a sentence without its full stop is followed by the size of kept containers, if there are any', () => {
  expect(withKept('the disk is full', [])).toBe('the disk is full')
  expect(withKept('the disk is full', [{ name: 'one', bytes: 3 }])).toMatch(/^the disk is full\. Containers .*NAME"\)$/)
})

test('once a kept container is gone, a text that named it says what became of its work, and the rest stays', () => {
  const containers = [
    { name: 'bl-a', bytes: 1.5 * 1024 ** 3 },
    { name: 'bl-ab', bytes: null },
  ]
  const text = `You stopped it.${leftText({ refs: ['refs/x'], containers }, fetch)}\nA digest.`
  expect(leftIn(text)).toBe(leftText({ refs: ['refs/x'], containers }, fetch).trimStart())
  expect(leftIn('You stopped it.')).toBe('')
  expect(namesKept(text)).toEqual(['bl-a', 'bl-ab'])
  const saved = leftText({ refs: ['refs/y'], containers: [] }, fetch)
  expect(withoutKept(text, 'bl-a', saved)).toBe(
    `You stopped it.${leftText({ refs: ['refs/x'], containers: [] }, fetch)}${saved}${leftText({ refs: [], containers: containers.slice(1) }, fetch)}\nA digest.`,
  )
  expect(withoutKept(text, 'bl-ab', '')).toBe(
    `You stopped it.${leftText({ refs: ['refs/x'], containers: containers.slice(0, 1) }, fetch)}\nA digest.`,
  )
  expect(withoutKept(text, 'bl-abc', saved)).toBe(text)
})

test('unmerged commits are named with the command for them, before unsaved work', () => {
  const committed = committedText('beads-a', 'git fetch /hub beads-a:beads-a')
  expect(committed).toBe(
    " Its committed work is on branch beads-a, which is not merged. To have it in a clone on the server's machine: git fetch /hub beads-a:beads-a.",
  )
  const left = `${committed}${leftText({ refs: ['refs/x'], containers: [] }, fetch)}`
  expect(leftIn(`You stopped it.${left}\nA digest.`)).toBe(left.trimStart())
})
