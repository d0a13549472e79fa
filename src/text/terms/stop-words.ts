/**
 * Words with little or no meaning for a task.
 *
 * Ranking gives them a small weight, and keyword extraction ignores them. The figures of the ranking were measured with
 * these lists. Words are in lower case and compared as a whole.
 */

/** The words of a list. */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ""));

/** English function words, and words common in issues ("bug", "expected", "version"). */
export const STOP_WORDS: ReadonlySet<string> = wordSet(`
  a about above after again all also am an and any are as at be because been before being below between both but by
  can cannot could did do does doing don down during each etc few for from further get gets got had has have having he
  her here hers him his how i if in into is isn it its itself just know let like ll make may me might more most must my
  no nor not now of off on once one only or other our out over own please re really same see seem seems she should since
  so some still such than thanks that the their them then there these they thing things think this those though through
  to too try trying two under until up us use used using ve very want was way we well were what when where whether which
  while who why will with within without won would yes yet you your
  bug issue problem expected actual behavior behaviour fix error fail fails failing failed wrong work works working
  worked reproduce description example version code following however instead currently feature request run running
  happen happens happening correct correctly incorrect incorrectly
`);

/** Words common in code: keywords, literals, generic names. */
export const CODE_STOP_WORDS: ReadonlySet<string> = wordSet(`
  self this return def class function const let var new true false none null import from public private static void int
  str string if else for while try except catch raise throw print len type value name data object obj args kwargs test
  tests assert foo bar baz a b c x y z i j k n main console log require module exports export default async await
`);
