import { describe, expect, test } from 'vitest'
import { parentsOf, parseTree } from './parse-objects.ts'

const id = (letter: string) => letter.repeat(40)
const entry = (mode: string, name: string, letter: string) =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(id(letter), 'hex')])

describe('a tree', () => {
  test('has modes with six digits, even old ones', () => {
    const modes = ['100644', '100664', '100755', '0100644', '120000', '40000', '040000', '160000']
    const bytes = Buffer.concat(modes.map((mode, i) => entry(mode, `n${i}`, 'a')))
    expect(parseTree(bytes, 20).map(({ mode, type }) => `${mode} ${type}`)).toEqual([
      '100644 blob',
      '100644 blob',
      '100755 blob',
      '100644 blob',
      '120000 blob',
      '040000 tree',
      '040000 tree',
      '160000 commit',
    ])
  })

  test('keeps every byte of a name, and an id that looks like the end of one', () => {
    const bytes = Buffer.concat([entry('100644', 'a b\n\xff', '0'), entry('40000', 'z', 'b')])
    expect(parseTree(bytes, 20)).toEqual([
      { name: 'a b\n\xff', mode: '100644', type: 'blob', object: id('0') },
      { name: 'z', mode: '040000', type: 'tree', object: id('b') },
    ])
    expect(parseTree(Buffer.alloc(0), 20)).toEqual([])
  })

  test('is refused when it is cut off', () => {
    const whole = entry('100644', 'a', 'c')
    for (const length of [1, 7, 9, whole.length - 1]) {
      expect(() => parseTree(whole.subarray(0, length), 20)).toThrow('list of files is broken')
    }
  })
})

describe("a commit's parents", () => {
  const tree = `tree ${id('1')}\n`
  const author = 'author A <a> 1 +0000\n'
  const parents = (text: string) => parentsOf(Buffer.from(text))

  test('are the lines after its tree, in their order', () => {
    expect(parents(`${tree}${author}\nFirst\n`)).toEqual([])
    expect(parents(`${tree}parent ${id('2')}\nparent ${id('3')}\n${author}\nMerge\n`)).toEqual([id('2'), id('3')])
  })

  test('are never taken from further down', () => {
    const late = `parent ${id('4')}\n`
    expect(parents(`${tree}${author}${late}\nA header that is none\n`)).toEqual([])
    expect(parents(`${tree}parent ${id('2')}\n${author}\n${late}`)).toEqual([id('2')])
    expect(parents(`${tree}parent ${id('2')}\n${author}mergetag object ${id('5')}\n ${late}\nm`)).toEqual([id('2')])
  })
})
