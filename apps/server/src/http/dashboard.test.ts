import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startHttp } from '../compose/testing/start-http.ts'

async function startWithDashboard() {
  const parent = await mkdtemp(join(tmpdir(), 'beadloom-dashboard-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const folder = join(parent, 'dist')
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(folder, 'index.html'), '<title>Beadloom</title>')
  await writeFile(join(folder, 'theme.js'), '// theme')
  await writeFile(join(folder, '.hidden'), 'no')
  await writeFile(join(folder, 'assets', 'index-B1gH4sh.js'), '// app')
  await writeFile(join(parent, 'secret.txt'), 'no')
  return startHttp({ dashboardFolder: folder })
}

test('hashed files are kept for ever, the page never', async () => {
  const { ask } = await startWithDashboard()
  expect(await ask('/assets/index-B1gH4sh.js')).toMatchObject({
    status: 200,
    text: '// app',
    headers: {
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    },
  })
  expect(await ask('/theme.js')).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
  expect(await ask('/')).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
})

test.each([['/projects/demo'], ['/projects/demo/beads/bl-4f2.1'], ['/some/where?x=1']])(
  '%s is a route of the page',
  async (path) => {
    const { ask } = await startWithDashboard()
    expect(await ask(path)).toMatchObject({
      status: 200,
      text: '<title>Beadloom</title>',
      headers: { 'content-type': 'text/html; charset=utf-8' },
    })
  },
)

test.each([
  ['/assets/gone-1234.js'],
  ['/assets/'],
  ['/.hidden.txt'],
  ['/..%2fsecret.txt'],
  ['/assets/..%2f..%2fsecret.txt'],
  ['/%00.js'],
])('%s is neither a file nor a page', async (path) => {
  const { ask } = await startWithDashboard()
  const got = await ask(path)
  expect([400, 403, 404]).toContain(got.status)
  expect(got.text).not.toMatch(/^no$|Beadloom<|node_modules|at /)
})

test('a dashboard that is not built says what to do', async () => {
  const { ask } = await startHttp()
  expect(await ask('/')).toMatchObject({ status: 503, text: /npm start/ })
})

test('only reading is possible', async () => {
  const { ask } = await startWithDashboard()
  expect(await ask('/', { method: 'POST' })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
})
