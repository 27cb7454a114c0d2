import { expect, test } from 'vitest'
import { chosenTests } from './choose-tests.ts'

test.each([
  ['npm test', 'vitest', ['src/a.test.ts'], "npm test -- 'src/a.test.ts'"],
  ['npm run test:unit', 'jest', ['a.test.js', 'b.test.js'], "npm run test:unit -- 'a.test.js' 'b.test.js'"],
  ['npx vitest run', 'vitest', ['src/a.test.ts'], "npx vitest run 'src/a.test.ts'"],
  ['yarn test', 'jest', ['a.test.js'], "yarn test 'a.test.js'"],
  ['pnpm exec vitest run', 'vitest', ['a.test.ts'], "pnpm exec vitest run 'a.test.ts'"],
  ['node --test', 'node-test', ['test/a.test.js'], "node --test 'test/a.test.js'"],
  ['.venv/bin/python -m pytest', 'pytest', ['tests/test_a.py'], ".venv/bin/python -m pytest 'tests/test_a.py'"],
  [
    '. .venv/bin/activate && python -m pytest --continue-on-collection-errors',
    'pytest',
    ['tests/test_a.py'],
    ". .venv/bin/activate && python -m pytest --continue-on-collection-errors 'tests/test_a.py'",
  ],
  [
    '. .venv/bin/activate && pip install --no-deps -e . && python -m pytest',
    'pytest',
    ['test_a.py'],
    ". .venv/bin/activate && pip install --no-deps -e . && python -m pytest 'test_a.py'",
  ],
  ['go test -race ./...', 'go-test', ['a_test.go', 'store/b_test.go'], "go test -race '.' './store'"],
  ['cargo test', 'cargo-test', ['tests/api.rs'], 'cargo test --test api'],
  [
    'cargo test --workspace --no-fail-fast --locked',
    'cargo-test',
    ['crates/a/tests/api.rs', 'crates/b/tests/api.rs'],
    'cargo test --workspace --no-fail-fast --locked --test api',
  ],
  [
    'cargo test --workspace --no-fail-fast || { cargo test --no-run || for crate in $(x | y); do cargo test; done; false; }',
    'cargo-test',
    ['tests/api.rs'],
    'cargo test --workspace --no-fail-fast --test api',
  ],
  [
    'sh ./mvnw -B -o -fae package',
    'maven',
    ['a/src/test/java/x/CartTest.java'],
    "sh ./mvnw -B -o -fae package -Dtest='CartTest' -Dsurefire.failIfNoSpecifiedTests=false",
  ],
  ['bundle exec rspec', 'rspec', ['spec/cart_spec.rb'], "bundle exec rspec 'spec/cart_spec.rb'"],
  ['mix test', 'exunit', ['test/cart_test.exs'], "mix test 'test/cart_test.exs'"],
  ['swift test', 'generic', ['Tests/KitTests/CartTests.swift'], "swift test --filter 'CartTests'"],
  ['mvn -q test', 'maven', ['src/test/java/x/CartTest.java'], "mvn -q test -Dtest='CartTest'"],
  ['bundle exec rspec', 'generic', ['spec/cart_spec.rb'], "bundle exec rspec 'spec/cart_spec.rb'"],
  ['vendor/bin/phpunit', 'generic', ['tests/CartTest.php'], "vendor/bin/phpunit --filter 'CartTest'"],
  ['dotnet test', 'generic', ['tests/CartTests.cs'], "dotnet test --filter 'FullyQualifiedName~CartTests'"],
  ['npm test', 'vitest', ["it's $(here).test.ts"], "npm test -- 'it'\\''s $(here).test.ts'"],
])('%s (%s) chooses %j', (command, tool, files, chosen) => {
  expect(chosenTests({ command, tool, files })).toBe(chosen)
})

const compound = { test: 'npm run compile && mocha', compile: 'tsc' }
test.each<[string, Record<string, string>, string | null]>([
  ['npm test', { test: 'mocha' }, "npm test -- 'a.test.ts'"],
  ['npm test', { test: 'mocha --recursive', pretest: 'tsc' }, "npm test -- 'a.test.ts'"],
  ['yarn test', { test: 'yarn unit', unit: 'mocha' }, "yarn test 'a.test.ts'"],
  ['npm test', compound, null],
  ['yarn test', compound, null],
  ['pnpm run test', { test: 'mocha; eslint .' }, null],
  ['npm test', { test: 'yarn all', all: 'run-s unit lint' }, null],
  ['npm test', { test: 'turbo run test' }, null],
  ['npm test', { test: 'mocha', posttest: 'eslint .' }, null],
  ['npm test', { test: 'npm test' }, null],
  ['npx mocha', compound, "npx mocha 'a.test.ts'"],
  ['npm run constructor', {}, "npm run constructor -- 'a.test.ts'"],
])("%s with the scripts %j chooses by the script's own runner", (command, scripts, chosen) => {
  expect(chosenTests({ command, tool: 'mocha', files: ['a.test.ts'], scripts })).toBe(chosen)
})

test.each([
  ['npm test && npm run lint', 'vitest', ['a.test.ts']],
  ['. .venv/bin/activate && python -m pytest && ruff check', 'pytest', ['test_a.py']],
  ['make test', 'generic', ['a.test.ts']],
  ['sh test.sh', 'generic', ['test_a.py']],
  ['cargo test', 'cargo-test', ['src/lib.rs']],
  ['cargo test', 'cargo-test', ['crates/a/tests/api.rs']],
  ['meson setup build && meson test -C build', 'meson', ['t/t.c']],
  ['make -k check', 'automake', ['t.sh']],
  ['npm test', 'vitest', ['--help.test.ts']],
  ['npm test', 'vitest', ['tests/test_a.py']],
  ['npm test', 'vitest', []],
])('%s (%s) cannot choose %j', (command, tool, files) => {
  expect(chosenTests({ command, tool, files })).toBe(null)
})
