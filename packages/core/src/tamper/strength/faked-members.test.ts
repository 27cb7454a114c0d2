import { describe, expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'

const js = (line: string) =>
  file('a.test.ts', ` it('adds', () => {\n   const cart = cartOf(1, 2)\n+${line}\n   expect(cart.total()).toBe(3)\n })`)

describe("a fake answers a test's question", () => {
  test.each([
    [js('  cart.total = () => 3')],
    [js("  vi.spyOn(cart, 'total').mockReturnValue(3)")],
    [js("  vi.spyOn(Cart.prototype, 'total').mockReturnValue(3)")],
    [js('Cart.prototype.total = function () {')],
    [js("  Object.defineProperty(cart, 'total', { value: () => 3 })")],
    [js('  Object.assign(cart, { total: () => 3 })')],
    [
      file(
        'a_test.go',
        '+type fake struct{}\n+func (fake) Total() int { return 3 }\n func TestA(t *testing.T) {\n-\tc := cartOf(t, 1)\n+\tc := fake{}\n \tif got := c.Total(); got != 3 {\n \t\tt.Error(got)\n \t}\n }',
      ),
    ],
    [file('test_a.py', ' def test_a(cart):\n+    cart.total = lambda: 3\n     assert cart.total() == 3')],
    [
      file(
        'test_a.py',
        '+@mock.patch("shop.cart.Cart.total", lambda self: 3)\n def test_a(cart):\n     assert cart.total() == 3',
      ),
    ],
    [
      file(
        'tests/conftest.py',
        ' @pytest.fixture\n def cart():\n-    return Cart().add(1)\n+    made = mock.MagicMock(spec=Cart)\n+    return made',
      ),
    ],
    [
      file(
        'tests/conftest.py',
        ' @pytest.fixture\n def cart():\n-    made = Cart()\n-    made.add(1)\n-    return made\n+    return SimpleNamespace(total=lambda: 3)',
      ),
    ],
    [
      file(
        'spec/a_spec.rb',
        "-subject(:cart) { Cart.new(1) }\n+subject(:cart) { OpenStruct.new(total: 3) }\n it 'adds' do\n   expect(cart.total).to eq(3)\n end",
      ),
    ],
    [
      file(
        'spec/a_spec.rb',
        " it 'adds' do\n+  allow(cart).to receive(:total).and_return(3)\n   expect(cart.total).to eq(3)\n end",
      ),
    ],
    [
      file(
        'src/test/java/ATest.java',
        ' void setUp() {\n-    cart = new Cart();\n+    cart = new Cart() {\n+        public int total() {\n+            return 3;\n+        }\n+    };\n }\n @Test\n void adds() {\n     assertEquals(3, cart.total());\n }',
      ),
    ],
    [
      file(
        'tests/ATest.php',
        '-        $this->cart = new Cart();\n+        $this->cart = $this->createMock(Cart::class);\n     public function testAdds(): void\n     {\n         $this->assertSame(3, $this->cart->total());',
      ),
    ],
  ])('%j', (change) => {
    expect(found(change)).toEqual([expect.stringContaining('has something answer in the place of what it tests')])
  })

  test('an object of a class that the tests brought', () => {
    const fake = file(
      'ShopTests/QuickCart.cs',
      '+public class QuickCart : Cart\n+{\n+    public new int Total() => 3;',
      'A',
    )
    const used = file(
      'ShopTests/ATests.cs',
      '-    private readonly Cart cart = new();\n+    private readonly Cart cart = new QuickCart();\n     [Fact]\n     public void Adds()\n     {\n         Assert.Equal(3, cart.Total());',
    )
    expect(found(fake, used)).toEqual([expect.stringContaining('(private readonly Cart cart = new QuickCart();)')])
  })

  test.each([
    [
      file(
        'tests/conftest.py',
        ' @pytest.fixture\n def cart():\n     return Cart()\n+@pytest.fixture\n+def args():\n+    return SimpleNamespace(verbose=True)',
      ),
    ],
    [js("  vi.spyOn(Date, 'now').mockReturnValue(5)")],
    [js('  cart.items = [one]')],
    [
      file(
        'a.test.ts',
        " it('adds', () => {\n   expect(cart.total()).toBe(3)\n })\n+it('asks once', () => {\n+  vi.spyOn(cart, 'total').mockReturnValue(3)\n+  expect(show(cart)).toBe('3')\n+})",
      ),
    ],
    [
      file(
        'a.test.ts',
        " it('pays', () => {\n+  vi.spyOn(pay, 'send').mockReturnValue(true)\n   expect(pay.send).toHaveBeenCalledWith(3)\n })",
      ),
    ],
    [
      file(
        'test_a.py',
        ' def test_a(client):\n+    client.base_url = "https://b"\n     assert client.base_url == url("b")',
      ),
    ],
    [
      file(
        'test_a.py',
        '-@mock.patch("shop.pay.send")\n+@mock.patch("shop.pay.send", mock.Mock())\n def test_a():\n     assert shop.pay.send() == 3',
      ),
    ],
    [
      file(
        'test_a.py',
        ' def test_a():\n     assert shop.send() == 3\n+@mock.patch("shop.send", mock.Mock())\n+def test_b():\n+    assert shop.pay() == 3',
      ),
    ],
  ])('not if %j', (change) => {
    expect(found(change)).toEqual([])
  })
})
