import { expect, test } from 'vitest'
import { startHttp } from '../../compose/testing/start-http.ts'

test('everybody may ask whether the server is ready, and gets the reasons why not', async () => {
  const { ask, api } = await startHttp()
  const got = await ask('/readyz', { bearer: false })
  expect([got.status, got.json()]).toEqual([200, { ok: true, reasons: [] }])
  api.unready.push('the engine local has not been looked at yet')
  const not = await ask('/readyz', { bearer: false })
  expect([not.status, not.json()]).toEqual([503, { ok: false, reasons: api.unready }])
  expect((await ask('/healthz', { bearer: false })).status).toBe(200)
})
