import { expect, test } from 'vitest'
import { projectIdFrom } from '@beadloom/core/records/ids.ts'
import { SecondLooks } from './second-looks.ts'

const beside = { id: projectIdFrom('lib'), source: '/home/me/lib' }
const nobody = () => false

/** The seconds at which it is read, when asked each second. */
function readAt(
  looks: SecondLooks,
  until: number,
  obstacle: (second: number) => string | null,
  waits = nobody,
): number[] {
  const seconds = Array.from({ length: until }, (_, second) => second)
  return seconds.filter((second) => looks.isDue(beside, obstacle(second), second * 1000, waits))
}

test('a project that cannot start is read again less and less often, at least every minute', () => {
  expect(readAt(new SecondLooks(), 250, () => 'no such model')).toEqual([0, 2, 6, 14, 30, 62, 122, 182, 242])
})

test('while something waits to start, it is read every two seconds', () => {
  expect(
    readAt(
      new SecondLooks(),
      9,
      () => 'no such model',
      () => true,
    ),
  ).toEqual([0, 2, 4, 6, 8])
})

test('a different obstacle is a new one', () => {
  const looks = new SecondLooks()
  const seconds = readAt(looks, 101, (second) => (second < 70 ? 'no such model' : 'no such branch'))
  expect(seconds.slice(-6)).toEqual([62, 70, 72, 76, 84, 100])
})

test('without an obstacle nothing is read', () => {
  expect(readAt(new SecondLooks(), 100, () => null)).toEqual([])
})
