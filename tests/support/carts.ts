/** A shop in Python: many sums of carts that look alike, a table of rates, and mail. */
export const CARTS = {
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [
      `shop/part_${at}.py`,
      `def cart_sum_${at}(items):\n    """The sum of a cart."""\n    return sum(items) + ${at}\n`,
    ]),
  ),
  "shop/rates.py": "TABLE = {}\n\n\ndef lookup(key):\n    return TABLE[key]\n\n\ndef other():\n    return 1\n",
  "shop/mail.py": "def send_letter(text):\n    print(text)\n",
};
