import { describe, expect, test } from 'vitest'
import { file, found } from '../testing/sample-patch.ts'
import { changedValues } from './changed-values.ts'

const frames: Record<string, [string, string]> = {
  py: [' def test_guest(self):', ''],
  js: [" it('lets guests edit', () => {", ' })'],
  java: [' @Test\n void guests() {', ' }'],
  rb: [" it 'lets guests edit' do", ' end'],
  go: [' func TestGuest(t *testing.T) {', ' }'],
  rs: [' #[test]\n fn guests() {', ' }'],
  cpp: [' TEST(Guest, Edits) {', ' }'],
}

/** A test in which one assertion is replaced by another. */
function turned(path: string, before: string, now: string) {
  const [head, end] = frames[path.slice(path.lastIndexOf('.') + 1)] ?? ['', '']
  return file(path, `${head}\n-    ${before}\n+    ${now}\n${end}`)
}

describe('a yes that becomes a no', () => {
  test.each([
    ['test_a.py', 'self.assertTrue(guest.can_edit())', 'self.assertFalse(guest.can_edit())'],
    ['test_a.py', 'self.assertIn("email", data)', 'self.assertNotIn("email", data)'],
    ['test_a.py', 'assert guest.can_edit()', 'assert not guest.can_edit()'],
    ['test_a.py', 'assert "email" in data', 'assert "email" not in data'],
    ['a.test.js', 'expect(canEdit(guest)).toBe(true)', 'expect(canEdit(guest)).toBe(false)'],
    ['a.test.js', 'expect(canEdit(guest)).toBeTruthy()', 'expect(canEdit(guest)).toBeFalsy()'],
    ['a.test.js', 'expect(button).toBeVisible()', 'expect(button).not.toBeVisible()'],
    ['a.test.js', 'expect(names()).toContain("ann")', 'expect(names()).not.toContain("ann")'],
    ['a.test.js', 'assert.ok(canEdit(guest))', 'assert.ok(!canEdit(guest))'],
    ['ATest.java', 'assertTrue(guest.canEdit());', 'assertFalse(guest.canEdit());'],
    ['ATest.java', 'assertTrue(guest.equals(owner));', 'assertFalse(guest.equals(owner));'],
    ['ATest.java', 'assertThat(guest.canEdit()).isTrue();', 'assertThat(guest.canEdit()).isFalse();'],
    ['a_spec.rb', 'assert guest.edit?', 'refute guest.edit?'],
    ['a_test.go', 'assert.True(t, guest.CanEdit())', 'assert.False(t, guest.CanEdit())'],
    ['tests/a.rs', 'assert!(guest.can_edit());', 'assert!(!guest.can_edit());'],
    ['a_test.cpp', 'EXPECT_TRUE(guest.canEdit());', 'EXPECT_FALSE(guest.canEdit());'],
    ['a_test.cpp', 'REQUIRE(guest.canEdit());', 'REQUIRE_FALSE(guest.canEdit());'],
  ])('in %s is another value, either way: %s', (path, before, now) => {
    for (const change of [turned(path, before, now), turned(path, now, before)]) {
      expect(found(change)).toEqual([])
      expect(changedValues([change])).toHaveLength(1)
    }
  })

  test.each([
    ['test_a.py', 'self.assertTrue(total() == 2)', 'self.assertFalse(total() == 2)'],
    ['test_a.py', 'self.assertIn(total(), [2, 3])', 'self.assertNotIn(total(), [2, 3])'],
    ['test_a.py', 'assert total() == 2', 'assert not total() == 2'],
    ['test_a.py', 'assert total() in (2, 3)', 'assert total() not in (2, 3)'],
    ['a.test.js', 'expect(total() === 3).toBe(true)', 'expect(total() === 3).toBe(false)'],
    ['a.test.js', 'expect([3, 4]).toContain(total())', 'expect([3, 4]).not.toContain(total())'],
    ['a.test.js', 'expect(() => total(-1)).toThrow(RangeError)', 'expect(() => total(-1)).not.toThrow(RangeError)'],
    ['a.test.js', 'assert.ok(total() === 3)', 'assert.ok(total() !== 3)'],
    ['ATest.java', 'assertTrue(name().equals("ann"));', 'assertFalse(name().equals("ann"));'],
    ['ATest.java', 'assertThat(total() == 2).isTrue();', 'assertThat(total() == 2).isFalse();'],
    ['a_test.go', 'assert.True(t, Total() == 2)', 'assert.False(t, Total() == 2)'],
    ['tests/a.rs', 'assert!(total() == 2);', 'assert!(!(total() == 2));'],
    ['a_test.cpp', 'REQUIRE(total() == 2);', 'REQUIRE_FALSE(total() == 2);'],
    ['a_test.cpp', 'REQUIRE(canEdit());', 'REQUIRE_THROWS(canEdit());'],
  ])('in %s holds for anything wrong if the question has a value: %s', (path, before, now) => {
    expect(found(turned(path, before, now))).toEqual([`${path}: 1 assertion says the opposite now`])
  })
})
