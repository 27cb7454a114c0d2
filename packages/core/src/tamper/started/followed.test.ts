import { expect, test } from 'vitest'
import { followed } from './followed.ts'
import { changedStarts } from './weaker-start.ts'
import { both, run, weaker } from '../../testing/sample-starts.ts'

test('files are found step by step, as far as their texts are known', () => {
  const files = new Map<string, string | null>()
  expect(followed(['make -C sub test'], files).wanted).toContain('sub/Makefile')
  files.set('sub/Makefile', 'test:\n\tsh go.sh\n')
  expect(followed(['make -C sub test'], files).wanted).toContain('sub/go.sh')
  files.set('sub/go.sh', run)
  expect(followed(['make -C sub test'], files).parts.map(({ path }) => path)).toEqual(['sub/Makefile', 'sub/go.sh'])
})

test('a loop over a pattern starts all files of this name', () => {
  const files = new Map([
    ['run', 'for f in checks/*.sh; do sh "$f" || exit 1; done\n'],
    ['checks/a.sh', run],
  ])
  expect(followed(['sh run'], files).wanted).toContain('checks/*.sh')
  expect(followed(['sh run'], files, ['checks/a.sh', 'run']).parts.map(({ path }) => path)).toEqual([
    'run',
    'checks/a.sh',
  ])
})

test('people are told of other lines in a started file, but not of comments', () => {
  const changed = (after: string) =>
    changedStarts(['sh checks/run.sh'], both({ 'checks/run.sh': run }, { 'checks/run.sh': after }))
  expect(changed(run.replace('44', '45'))).toBe('files that a check starts changed: checks/run.sh')
  expect(changed(`# More.\n${run}`)).toBeNull()
})

test('a text without an end takes no time', () => {
  const long = `set -e\n${'[ "$('.repeat(30_000)}\n${'a'.repeat(60_000)}`
  expect(weaker('sh run', { run: long }, { run: long })).toEqual([])
  const broken = '{'.repeat(50_000)
  expect(
    weaker('make && npm test && python3 a.py', { Makefile: broken, 'package.json': broken, 'a.py': broken }, {}),
  ).toEqual([])
})

test('no loop over data starts it, and no pattern that a command only reads', () => {
  const files = new Map([['run', 'for f in cases/*.in; do ./prog < $f | diff - $f.out || exit 1; done\n']])
  expect(
    followed(['sh run', 'grep -q x *.test.js'], files, ['cases/a.in', 'a.test.js']).parts.map(({ path }) => path),
  ).toEqual(['run'])
  expect(followed(['sh run'], files).wanted.filter((path) => path.includes('*'))).toEqual([])
})
