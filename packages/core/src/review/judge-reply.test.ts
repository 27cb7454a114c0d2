import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { heardIn, refusedForm } from './judge-reply.ts'

const answer = { passed: true, summary: 'It does what was asked.', reasons: [] }
const reply = (message: object, more: object = {}, choice: object = {}) => ({
  status: 200,
  body: JSON.stringify({ model: 'judge-1-2026', choices: [{ message, ...choice }], ...more }),
})
const content = JSON.stringify(answer)

describe("the reply of a judge's server", () => {
  test('is its answer, under the name that the server gives the model', () => {
    expect(heardIn(reply({ content }), 'judge-1')).toEqual({ model: 'judge-1-2026', answer })
  })

  test('keeps the name that was asked for if the server gives none, and cuts a long one', () => {
    expect(heardIn(reply({ content }, { model: '' }), 'judge-1').model).toBe('judge-1')
    expect(heardIn(reply({ content }, { model: 7 }), 'judge-1').model).toBe('judge-1')
    expect(heardIn(reply({ content }, { model: 'm'.repeat(300) }), 'judge-1').model).toHaveLength(100)
  })

  test('is no answer if the model refused, even beside a yes', () => {
    expect(heardIn(reply({ content, refusal: 'I cannot help' }), 'j')).toMatchObject({
      wrong: 'the model refused: I cannot help',
    })
    expect(heardIn(reply({ content, refusal: ' ' }), 'j')).toMatchObject({ answer })
    expect(heardIn(reply({ content, refusal: null }), 'j')).toMatchObject({ answer })
  })

  test('is no answer if it was cut off, even where the rest would do', () => {
    expect(heardIn(reply({ content }, {}, { finish_reason: 'length' }), 'j')).toMatchObject({
      wrong: expect.stringContaining('cut off'),
    })
    expect(heardIn(reply({ content }, {}, { finish_reason: 'stop' }), 'j')).toMatchObject({ answer })
  })

  test("is the server's own error in its words, or its status", () => {
    const body = JSON.stringify({ error: { message: 'no such model' }, choices: [{ message: { content } }] })
    expect(heardIn({ status: 404, body }, 'j')).toEqual({ model: 'j', wrong: 'no such model' })
    expect(heardIn({ status: 502, body: '<html>' }, 'j')).toEqual({
      model: 'j',
      wrong: "the model's server answered 502",
    })
  })

  test('of any form is read without an exception, and never as a yes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, asChoice) => {
        const heard = heardIn({ status: 200, body: JSON.stringify(asChoice ? { choices: [value] } : value) }, 'j')
        expect('wrong' in heard).toBe(true)
      }),
    )
    expect(heardIn({ status: 200, body: 'null' }, 'j')).toHaveProperty('wrong')
    expect(heardIn({ status: 200, body: '{"choices":[null]}' }, 'j')).toHaveProperty('wrong')
  })
})

test('a server that does not know the form of an answer is asked without it, once', () => {
  for (const word of ['response_format', 'json_schema', 'Structured outputs', 'grammar'])
    expect(refusedForm({ status: 400, body: `${word} is not supported` })).toBe(true)
  expect(refusedForm({ status: 400, body: 'the prompt is too long' })).toBe(false)
  expect(refusedForm({ status: 500, body: 'json_schema' })).toBe(false)
})
