import { expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'

const named = file('jest.config.js', "+  snapshotSerializers: ['./tools/plain.js'],")
const serializer = (...body: string[]) =>
  file('tools/plain.js', ['module.exports = {', ...body, '}'].map((line) => `+${line}`).join('\n'), 'A')

test('a serializer has to look at the value', () => {
  for (const head of ['serialize(value, config, indentation) {', 'print: (value, serialize) => {']) {
    expect(found(named, serializer(`  ${head}`, '    return `${indentation}{}`', '  },'))).toEqual([
      'tools/plain.js writes the same for every value of a snapshot',
    ])
    expect(found(named, serializer(`  ${head}`, '    return `{${value.total}}`', '  },'))).toEqual([])
  }
})
