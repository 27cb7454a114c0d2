import { expect, test } from 'vitest'
import { unknownPackage } from './unknown-package.ts'

test.each([
  ['browser-ui-test@0.25.0', 'npm error notarget No matching version found for browser-ui-test@0.25.0.'],
  ['no-such-thing@^1.0.0', "npm error 404  'no-such-thing@^1.0.0' is not in this registry."],
  ['pad-1.0.0', '[ERR_PNPM_FETCH_404] GET https://registry.npmjs.org/pad/-/pad-1.0.0.tgz: Not Found - 404'],
  ['pad-1.0.0', 'npm error 404 Not Found - GET https://registry.npmjs.org/pad/-/pad-1.0.0.tgz - not found'],
  ['pad-1.0.0', 'error Error: https://registry.yarnpkg.com/pad/-/pad-1.0.0.tgz: Request failed "404 Not Found"'],
  ['x-1.tar.gz', 'ERROR: HTTP error 404 while getting https://files.pythonhosted.org/a/x-1.tar.gz (from …)'],
  ['left-pad@99', ' ERR_PNPM_NO_MATCHING_VERSION  No matching version found for left-pad@99'],
  ['left-pad', `error Couldn't find any versions for "left-pad" that matches "99"`],
  ['no-such', `error Couldn't find package "no-such" on the "npm" registry.`],
  ['left-pad', 'error: No version matching "left-pad" found for specifier "^99"'],
  ['flask==99', 'ERROR: No matching distribution found for flask==99'],
  ['flask>=99', 'ERROR: No matching distribution found for flask>=99 (from -r requirements.txt (line 3))'],
  ['flask==99', '  ╰─▶ Because there is no version of flask==99 and your project depends on flask==99'],
  ['no-such', '  × Because no-such was not found in the package registry and your project depends on no-such'],
  ['no-such', 'error: no matching package named `no-such` found'],
  ['itoa = "^99"', 'error: failed to select a version for the requirement `itoa = "^99"`'],
  ['example.com/x@v1.2.3', 'go: example.com/x@v1.2.3: invalid version: unknown revision v1.2.3'],
  ['org.x:y:jar:9', '[ERROR] Could not find artifact org.x:y:jar:9 in central (https://repo.maven.apache.org/maven2)'],
  ['org.x:y:9', '   > Could not find org.x:y:9.'],
])('%s is in no registry: %s', (name, line) => {
  expect(unknownPackage(`first\n${line}\nlast`)).toContain(`No registry that was asked has ${name}. `)
})

test('nothing is said about other errors', () => {
  expect(unknownPackage('Could not find a test\nnot found\nno matching files')).toBeNull()
})
