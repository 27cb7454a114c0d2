import { expect, test } from 'vitest'
import { withoutImage } from './prove-base.ts'

test('an image that could not be built is reported by the first words of a long sentence, and everything known is kept', () => {
  const message = `Docker could not build it: The command '${'true && '.repeat(400)}' failed\n  cc: not found`
  const { end, checks } = withoutImage(message)
  expect(end).toMatchObject({ is: 'broken', by: 'image', text: expect.stringMatching(/^Docker could not .*…\.?$/) })
  expect('text' in end && end.text.length).toBeLessThan(510)
  expect(checks).toMatchObject([{ name: 'image', digest: message }])
})

test('a short sentence is not cut, and the lines of the build are the digest of its check', () => {
  const { end, checks } = withoutImage('Docker could not build it: code 127\n  cc: not found')
  expect(end).toMatchObject({ text: 'Docker could not build it: code 127.' })
  expect(checks).toMatchObject([{ digest: '  cc: not found' }])
})
