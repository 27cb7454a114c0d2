import { expect, test } from 'vitest'
import { parseExecutionId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import { readerOf } from './spoken-messages.ts'

const execution = parseExecutionId('ex-aaaaaaaaaa')
const [first, second] = [1, 2].map((number) => sessionIdOf(execution, number)) as [never, never]

test('a message is for the session that it names while that works, else for the one that has worked longest', () => {
  expect(readerOf({ to: second }, [first, second])).toBe(second)
  expect(readerOf({}, [first, second])).toBe(first)
  expect(readerOf({ to: second }, [first])).toBe(first)
  expect(readerOf({ to: first }, [second])).toBe(second)
  expect(readerOf({ to: first }, [])).toBeUndefined()
})
