import { expect, test } from 'vitest'
import { mayHaveStopped, testParts } from './command-parts.ts'
import { namedCommands } from './named-commands.ts'

const stops = (command: string, script = '') => {
  const files = new Map([['package.json', JSON.stringify({ scripts: { test: script } })]])
  const parts = testParts(command, namedCommands(command, files))
  return mayHaveStopped(
    parts,
    parts.flatMap(({ runner }) => runner ?? []),
  )
}

test.each([
  'pytest -x',
  'python -m pytest -vx tests',
  'pytest --maxfail=1',
  'pytest --maxfail 2',
  'python -m unittest -f',
  'python manage.py test --failfast',
  'npx jest --bail',
  'jest --bail=3 --ci',
  'jest -b',
  'vitest run --bail 1',
  'vitest run --bail=1',
  'mocha -b test',
  'ava --fail-fast',
  'bun test --bail=2',
  'npx playwright test -x',
  'npx playwright test --max-failures=1',
  'go test -failfast ./...',
  'gotestsum -- -failfast ./...',
  'rspec --fail-fast',
  'vendor/bin/phpunit --stop-on-failure',
  'ctest --test-dir build --stop-on-failure',
  'meson test -C build --maxfail=1',
  'mix test --max-failures 1',
  './gradlew test',
  'deno test --fail-fast',
  'pnpm -r test',
  'pnpm --filter ./packages/* --recursive run test',
  'npx turbo run test',
  'lerna run test',
  'yarn workspaces run test',
  'sh all-tests.sh --bail',
])('%s ends at the first failure', (command) => {
  expect(stops(command)).toBe(true)
})

test.each([
  'pytest -rfEx',
  'pytest --maxfail=0',
  'pytest -k "not x" tests',
  'jest --bail=0',
  'jest --bail 0',
  'jest --bail --no-bail',
  'jest --bail=false',
  'vitest run --bail=0',
  'mocha --no-bail',
  'go test -failfast=false ./...',
  './gradlew test -x lint --continue',
  'gradle check -x spotbugs --continue',
  'rspec --no-fail-fast',
  'cargo test --workspace',
  'mvn -B verify',
  'ctest --test-dir build -x',
  'node --test -x',
  'pnpm -r --no-bail run test',
  'turbo run test --continue',
  'turbo run test --continue=always',
  'lerna run test --no-bail',
  'npm test --workspaces',
  'sh all-tests.sh -x',
  'uv run --exact -x pytest',
])('%s continues after a failure', (command) => {
  expect(stops(command)).toBe(false)
})

test('options behind the name of a script are the options of the program it runs', () => {
  expect(stops('npm test -- --bail', 'jest')).toBe(true)
  expect(stops('yarn test -b', 'tsc && mocha')).toBe(true)
  expect(stops('npm test', 'jest --bail')).toBe(true)
  expect(stops('npm test -- --ci', 'jest')).toBe(false)
})
