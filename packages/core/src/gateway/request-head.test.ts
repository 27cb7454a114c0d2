import { expect, test } from 'vitest'
import { headOf, isSameHead } from './request-head.ts'

const role = 'You are an agent that works'

test.each([
  [
    'chat',
    {
      messages: [
        { role: 'system', content: role },
        { role: 'user', content: 'x'.repeat(99) },
      ],
      tools: [{ type: 'function', function: { name: 'bash' } }],
    },
  ],
  [
    'responses',
    { instructions: role, input: [{ role: 'user', content: 'x' }], tools: [{ type: 'function', name: 'bash' }] },
  ],
  [
    'messages',
    {
      system: [
        { type: 'text', text: 'version 7' },
        { type: 'text', text: role },
      ],
      tools: [{ name: 'bash' }],
    },
  ],
])('the role and the tools of a request of the API %s', (_, request) => {
  expect(headOf(JSON.stringify(request))).toEqual({ role, tools: ['bash'] })
})

test('more tools are the same conversation; fewer, or another role, are not', () => {
  const head = { role, tools: ['bash', 'task'] }
  expect(isSameHead(head, { role, tools: ['task', 'found', 'bash'] })).toBe(true)
  expect(isSameHead(head, { role, tools: ['bash'] })).toBe(false)
  expect(isSameHead(head, { ...head, role: 'You search' })).toBe(false)
})

test('a text that is no request has none', () => {
  for (const text of ['', 'x', '[]', 'null']) expect(headOf(text)).toBeNull()
  expect(headOf('{"tools":[null,{}],"system":7}')).toEqual({ role: '', tools: ['undefined'] })
})
