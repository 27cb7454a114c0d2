import { expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'

const instead = (path: string, before: string, now: string) => file(path, ` adds {\n-  ${before}\n+  ${now}\n }`)

test.each([
  [
    'a.test.ts',
    "expect(slug(a)).toBe('red-hat')",
    "expect(slug(a).replace(/-/g, '')).toBe('red-hat'.replace(/-/g, ''))",
  ],
  ['test_a.py', 'assert slug(a) == wanted', 'assert slug(a).strip("-") == wanted.strip("-")'],
  [
    'tests/a.rs',
    'assert_eq!(slug(a), "red-hat");',
    `assert_eq!(slug(a).replace('-', ""), "red-hat".replace('-', ""));`,
  ],
  ['ATest.java', 'assertThat(slug(a)).isEqualTo("red-hat");', 'assertThat(slug(a)).isEqualToIgnoringCase("red-hat");'],
  [
    'ATest.java',
    'assertThat(made).usingRecursiveComparison().isEqualTo(wanted);',
    'assertThat(made).usingRecursiveComparison().ignoringFields("total").isEqualTo(wanted);',
  ],
  ['a_test.cpp', 'EXPECT_STREQ(slug(a), "red-hat");', 'EXPECT_STRCASEEQ(slug(a), "red-hat");'],
  ['ATests.cs', 'Assert.Equal("no", error.Message);', 'Assert.Equal("no", error.Message, ignoreCase: true);'],
  ['a_test.cpp', 'EXPECT_CALL(till, Pay(90)).Times(1);', 'EXPECT_CALL(till, Pay(90)).Times(::testing::AnyNumber());'],
  ['a_test.cpp', 'StrictMock<MockTill> till;', 'NiceMock<MockTill> till;'],
  [
    'e2e/a.spec.ts',
    "await expect(page).toHaveScreenshot('a.png')",
    "await expect(page).toHaveScreenshot('a.png', { mask: [page.locator('body')] })",
  ],
  [
    'e2e/a.spec.ts',
    "await expect(page).toHaveScreenshot('a.png')",
    "await expect(page).toHaveScreenshot('a.png', { maxDiffPixels: 1_000_000 })",
  ],
])('in %s, "%s" overlooks less than "%s"', (path, before, now) => {
  expect(found(instead(path, before, now))).toEqual([expect.stringContaining('checks less than before')])
})

test('in Go, a condition overlooks it', () => {
  const lines =
    '-\tif got := Slug(a); got != "red-hat" {\n+\tif got := Slug(a); !strings.EqualFold(got, "red-hat") {\n \t\tt.Errorf("got %q", got)'
  expect(found(file('a_test.go', lines))).toEqual([expect.stringContaining('checks less than before')])
})

test.each([
  ['a.test.ts', "expect(out).toBe('red')", "expect(out.trim()).toBe('red')"],
  ['a.test.ts', 'expect(slug(a).trim()).toBe(b.trim())', 'expect(slug(a).trim()).toBe(c.trim())'],
  ['ATests.cs', 'Assert.Equal("a", text);', 'Assert.Equal("a", text, ignoreLineEndingDifferences: true);'],
  ['test_a.py', 'assert names(a) == wanted', 'assert sorted(names(a)) == sorted(wanted)'],
  ['ATest.java', 'assertThat(slug(a)).isEqualToIgnoringCase("a");', 'assertThat(slug(b)).isEqualToIgnoringCase("a");'],
  [
    'e2e/a.spec.ts',
    "await expect(page).toHaveScreenshot('a.png')",
    "await expect(page).toHaveScreenshot('a.png', { mask: [page.getByTestId('date')] })",
  ],
  ['a_test.cpp', 'StrictMock<MockTill> till;', 'StrictMock<MockTill> till{bank};'],
])('in %s, "%s" may become "%s"', (path, before, now) => {
  expect(found(instead(path, before, now))).toEqual([])
})
