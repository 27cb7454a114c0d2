import { expect, test } from 'vitest'
import fc from 'fast-check'
import { redactedOutput } from './redacted-output.ts'

const SECRET = 'npm_C4nary+8f/2e=61'

async function printed(pieces: readonly string[], values = [SECRET]): Promise<string> {
  let text = ''
  const { take, end } = redactedOutput((_, more) => void (text += more), values)
  for (const piece of pieces) await take('stdout', piece)
  await end()
  return text
}

test.each([
  ['a value', `token ${SECRET}!`, 'token ***!'],
  ['several', `${SECRET}${SECRET} ${SECRET}`, '****** ***'],
  ['one in an address', `https://x:${encodeURIComponent(SECRET)}@example.org`, 'https://x:***@example.org'],
  ['one in JSON', JSON.stringify({ token: `${SECRET}` }), '{"token":"***"}'],
  ['one in base64', `Basic ${Buffer.from(SECRET).toString('base64')}`, 'Basic ***='],
  ['nothing else', 'npm_C4nary is not all of it', 'npm_C4nary is not all of it'],
  ['the beginning of one at the end', 'cut off: npm_C4na', 'cut off: ***'],
])('%s is left out', async (_, text, clean) => {
  expect((await printed([text])).replace(/^(Basic \*\*\*)=*$/, '$1=')).toBe(clean)
})

test('wherever the output is cut, nothing of a value is printed, and nothing else is lost', async () => {
  const text = `one ${SECRET} two npm_ three ${SECRET}${SECRET}\nfour`
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(text.length)), async (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), text.length]
      const pieces = at.slice(1).map((end, index) => text.slice(at[index], end))
      expect(await printed(pieces)).toBe('one *** two npm_ three ******\nfour')
    }),
  )
})

test('the streams are separate, and one that holds nothing back writes at once', async () => {
  const got: string[] = []
  const { take, end } = redactedOutput((stream, text) => void got.push(`${stream} ${text}`), [SECRET])
  await take('stdout', SECRET.slice(0, 6))
  await take('stderr', 'plain\n')
  await take('stdout', SECRET.slice(6))
  await end()
  expect(got).toEqual(['stderr plain\n', 'stdout ***'])
})

test('a value within another one leaves neither of them', async () => {
  expect(await printed(['longer_secret_value'], ['secret_v', 'longer_secret_value'])).toBe('***')
})
