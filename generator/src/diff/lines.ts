import { parsePointer } from '../../../specs/src/index.ts';
import { type Change, type ChangeRuleId, changeRules, type Verdict, verdictOrder } from './change.ts';
import { listSome, quote, splitField } from './words.ts';

/** A line of a report. `label`: the verdict, or `charges` for changed billing, which readers have to judge themselves. */
export type Line = { readonly verdict: Verdict; readonly label: Verdict | 'charges'; readonly text: string };
/** Changes of one member with one verdict, or the same change of several members. */
type Row = {
  readonly first: Change;
  readonly places: readonly string[];
  readonly messages: readonly string[];
  readonly changes: readonly Change[];
};

/** Messages about several members of one object, for inputs and for outputs. `#` is replaced by the names. */
const ofMembers: Partial<Record<ChangeRuleId, readonly [input: string, output?: string]>> = {
  'property-removed': ['properties # removed'],
  'property-unlisted': ['properties # no longer described: they may hold any value'],
  'property-added-optional': ['optional properties # added'],
  'property-added-required': ['required properties # added', 'properties # added, always present'],
  'property-became-required': ['# are required now', '# are always present now'],
  'property-became-optional': ['# are optional now', '# may be missing now'],
};

/**
 * Returns the lines of changes. Changes of the billing come first, then the others by severity. A line names the member,
 * what changed, and what breaks: `input.size`: value `"4K"` removed; calls with a removed value are rejected.
 */
export function listLines(changes: readonly Change[]): Line[] {
  const single = changes.map((first): Row => {
    return { first, places: listPlaces(first), messages: [first.message], changes: [first] };
  });
  const byMember = merge(single, ({ first: { verdict, field }, places }) => field !== undefined && [verdict, places]);
  const byObject = merge(byMember, ({ first: { rule, verdict, breaks }, places, changes: { length } }) => {
    const isFolded = rule in ofMembers && length === 1;
    return isFolded && [rule, verdict, breaks, places.map((place) => splitField(place).object)];
  }).map((row) => (byMember.includes(row) ? row : nameMembers(row)));
  const rows = merge(byObject, ({ first: { verdict, direction, field, breaks }, messages, changes }) => {
    return field !== undefined && [verdict, direction, messages, breaks, listRefused(changes)];
  });
  const rank = ({ first: { rule, verdict } }: Row): number =>
    rule === 'billing-changed' ? -1 : verdictOrder.indexOf(verdict);
  return rows
    .sort((one, other) => rank(one) - rank(other))
    .map((row): Line => {
      const { rule, verdict } = row.first;
      return { verdict, label: rule === 'billing-changed' ? 'charges' : verdict, text: printRow(row) };
    });
}

/** Merges rows for which `readKey` returns the same key. Rows for which it returns false are not merged. */
function merge(rows: readonly Row[], readKey: (row: Row) => readonly unknown[] | false): Row[] {
  const groups = Map.groupBy(rows, (row, index) => JSON.stringify(readKey(row) || index));
  return [...groups.values()].flatMap(([row, ...others]) => {
    if (row === undefined || others.length === 0) return row ?? [];
    const all = [row, ...others];
    const places = [...new Set(all.flatMap((one) => one.places))];
    const messages = [...new Set(all.flatMap((one) => one.messages))];
    return { ...row, places, messages, changes: all.flatMap((one) => one.changes) };
  });
}

/** Names several members of an object in one message. */
function nameMembers({ first, places, changes }: Row): Row {
  const { rule, direction, before } = first;
  const [ofInput = '', ofOutput = ofInput] = ofMembers[rule] ?? [];
  const names = listSome(changes.map(({ field = '' }) => quote(splitField(field).name)));
  const isAlike = rule === 'property-removed' && changes.every((one) => one.before === before);
  const message = (direction === 'input' ? ofInput : ofOutput).replace('#', () => names);
  const objects = new Set(places.map((place) => splitField(place).object));
  return {
    first,
    places: [...objects],
    messages: [isAlike ? `${message} (were ${quote(String(before))})` : message],
    changes,
  };
}

/** Returns the members that a change affects. For a change without a member, returns the operation or component of the API. */
function listPlaces({ direction, field, places = [], pointer }: Change): string[] {
  const toPlace = (one: string): string => `${direction}${one === '' || one.startsWith('[') ? '' : '.'}${one}`;
  if (field !== undefined) return [field, ...places].map(toPlace);
  const [section, path = '', part = ''] = parsePointer(pointer);
  if (section === 'components') return [part];
  return section === 'paths' ? [`${part.toUpperCase()} ${path}`] : [];
}

function listRefused(changes: readonly Change[]): string[] {
  const refusing = changes.filter(({ breaks }) => breaks.includes('calls'));
  return [...new Set(refusing.map(({ rule, refused }) => refused ?? changeRules[rule].refused ?? 'some calls'))];
}

const maxPlaces = 4;

function printRow({ first, places, messages, changes }: Row): string {
  const part = first.field === undefined && first.pointer.startsWith('/components') ? 'component ' : '';
  const names = listSome(
    places.map((place) => quote(place, 400)),
    maxPlaces,
  );
  return `${places.length === 0 ? '' : `${part}${names}: `}${messages.join('; ')}${describeBreaks(first, changes)}`;
}

/** Describes which calls and code break. Also mentions a changed default: no call breaks, but results may differ. */
function describeBreaks({ direction, rule }: Change, changes: readonly Change[]): string {
  const { breaksCodeIn, brokenCode } = changeRules[rule];
  const code = changes.find((one) => one.code !== undefined)?.code;
  const refused = listRefused(changes).join(' and ');
  const [isRefused, isBroken] = [refused !== '', changes.some(({ breaks }) => breaks.includes('code'))];
  const example = code === undefined ? 'older code may' : `older code such as ${quote(code, 200)} does`;
  let text = isRefused ? `; ${refused} are rejected` : '';
  if (direction === 'input' && changes.some((one) => one.rule === 'default-changed'))
    text += '; results may differ where calls leave it out';
  if (!isBroken) return text;
  const most = changes.some(({ isPartlyTyped }) => isPartlyTyped) ? ', and most' : ' and';
  if (isRefused && code === undefined && breaksCodeIn === undefined) return `${text}${most} do not compile`;
  if (isRefused) return `${text}, and ${example} not compile`;
  if (brokenCode !== undefined) return `${text}; ${brokenCode}`;
  if (direction === 'output')
    return `${text}; ${code === undefined && breaksCodeIn === undefined ? 'older code may not handle it' : `${example} not compile`}`;
  const accepted = rule === 'property-removed' ? 'the service may ignore it, and' : 'calls are still accepted, but';
  return `${text}; ${accepted} ${example} not compile`;
}
