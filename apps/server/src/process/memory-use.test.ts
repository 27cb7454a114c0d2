import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { heapBytes, memoryUse } from './memory-use.ts'

test('memory is known although the system gives no more files', () => {
  const { rss, heapTotal } = memoryUse(() => {
    throw Object.assign(new Error('EMFILE: too many open files, uv_resident_set_memory'), { code: 'EMFILE' })
  })
  expect([rss > 0, heapTotal]).toEqual([true, expect.any(Number)])
  expect(memoryUse().rss).toBeGreaterThan(heapBytes() / 2)
})

test('the size of the heap is read without a file', () => {
  const url = new URL('memory-use.ts', import.meta.url).href
  const script = `const { heapBytes, memoryUse } = await import(${JSON.stringify(url)})
    process.stdin.destroy()
    require('node:child_process').execFileSync('prlimit', ['--pid', String(process.pid), '--nofile=3:20000'])
    let refused = ''
    try { process.memoryUsage() } catch (error) { refused = error.code }
    console.log(refused, heapBytes() > 0, memoryUse().rss > 0)`
  const run = `const { createRequire } = await import('node:module'); const require = createRequire(import.meta.url);${script}`
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', run], { encoding: 'utf8' })).toBe(
    'EMFILE true true\n',
  )
})
