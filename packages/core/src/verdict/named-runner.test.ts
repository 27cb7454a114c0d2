import { expect, test } from 'vitest'
import { namedCommands } from './named-commands.ts'
import { runnerNamed } from './named-runner.ts'

test.each([
  ['.venv/bin/python -m pytest -q', {}, 'pytest'],
  ['npm test', { test: 'node --test' }, 'node-test'],
  ['npm run test:unit -- --run', { 'test:unit': 'vitest' }, 'vitest'],
  ['yarn test', { test: 'jest' }, 'jest'],
  ['cd api && go test ./...', {}, 'go-test'],
  ['npm test', { test: 'sh check.sh' }, null],
  ['sh check.sh', { test: 'jest' }, null],
])('%s with %o runs %s', (command, scripts, runner) => {
  expect(runnerNamed(command, namedCommands(JSON.stringify({ scripts }), null))).toBe(runner)
})
