import { expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'

const java = (lines: string) =>
  file(
    'ATest.java',
    ` @Test\n void refuses() {\n     try {\n         cart.add(-1);\n${lines}\n     } catch (Negative error) {\n     }\n }`,
  )

test.each([
  [java('-        fail("no error");')],
  [java('-        fail("no error");\n+        log("no error");')],
  [
    file(
      'tests/a.rs',
      ' #[test]\n fn refuses() {\n     match total(-1) {\n         Err(_) => {}\n-        other => panic!("got {other:?}"),\n+        _ => {}\n     }\n }',
    ),
  ],
  [file('test/a_test.rb', " def test_refuses\n   Cart.new(-1)\n-  flunk 'no error'\n rescue Negative\n end")],
  [
    file(
      'tests/ATest.php',
      " public function testRefuses(): void\n {\n     try {\n         total(-1);\n-        $this->fail('no');\n     } catch (Negative) {\n     }\n }",
    ),
  ],
  [
    file(
      'a_test.cpp',
      ' TEST(Cart, Refuses) {\n   try {\n     total(-1);\n-    FAIL() << "no error";\n   } catch (...) {\n   }\n }',
    ),
  ],
])('a test passes without the error that it wants: %j', (change) => {
  expect(found(change)).toEqual([expect.stringContaining('lost 1 line that fails where no error comes')])
})

test.each([
  [java('-        fail("no error");\n+        fail("no error for a negative count");')],
  [java('-        fail("no error");\n+        throw new AssertionError("no error");')],
  [
    file(
      'ATest.java',
      ' @Test\n void refuses() {\n-    try {\n-        cart.add(-1);\n-        fail("no error");\n-    } catch (Negative error) {\n-    }\n+    assertThrows(Negative.class, () -> cart.add(-1));\n }',
    ),
  ],
  [
    file(
      'tests/a.rs',
      ' #[test]\n fn refuses() {\n-    match total(1) {\n-        Ok(sum) => assert_eq!(sum, 1),\n-        other => panic!("got {other:?}"),\n-    }\n+    assert_eq!(total(1).unwrap(), 1);\n }',
    ),
  ],
  [
    file(
      'tests/a.rs',
      ' #[test]\n fn copies() {\n-    if let Err(err) = create("a") {\n-        panic!("no a: {err}");\n-    }\n+    create_all().ok();\n     assert_eq!(copy("a"), 1);\n }',
    ),
  ],
  [file('test/a_test.rb', ' def helper\n-  fail ArgumentError\n end')],
  [
    file(
      'tests/a.rs',
      ' #[test]\n fn one() {\n     assert_eq!(total(1), 1);\n }\n \n-fn found(html: &str) -> Document {\n-    panic!("cannot find it")\n-}\n',
    ),
  ],
  [java('-        fail();\n+        throw new AssertionError("no error");')],
  [
    file(
      'tests/a.rs',
      ' #[test]\n fn one() {\n-    if let Err(error) = save() {\n-        panic!("not saved: {error}");\n-    }\n+    save();\n     assert_eq!(total(1), 1);\n }\n',
    ),
  ],
])('not if the error is expected in other words: %j', (change) => {
  expect(found(change)).toEqual([])
})
