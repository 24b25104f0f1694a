/** Members in order of admission, each until a time of its own (ms). However long it is, no step walks it. */
export type Queue = {
  /** A newcomer comes last; a member that is put again keeps its place and gets another time. */
  put(id: string, until: number): void;
  size(now: number): number;
  /** Everybody, for whoever is no member. */
  countAhead(id: string, now: number): number;
};

type Member = { id: string; place: number; until: number };

export function createQueue(): Queue {
  const members = new Map<string, Member>();
  const byPlace: Member[] = [];
  const byTime: Member[] = [];
  let nextPlace = 0;
  const settle = (now: number): void => {
    for (let first = byTime[0]; first !== undefined && first.until <= now; first = byTime[0]) {
      byTime.shift();
      byPlace.splice(firstFrom(byPlace, first.place, placeOf), 1);
      members.delete(first.id);
    }
  };
  return {
    put: (id, until) => {
      const earlier = members.get(id);
      const member = { id, until, place: earlier?.place ?? nextPlace++ };
      if (earlier === undefined) byPlace.push(member);
      else {
        byPlace[firstFrom(byPlace, member.place, placeOf)] = member;
        byTime.splice(byTime.indexOf(earlier), 1);
      }
      byTime.splice(firstFrom(byTime, until, untilOf), 0, member);
      members.set(id, member);
    },
    size: (now) => {
      settle(now);
      return members.size;
    },
    countAhead: (id, now) => {
      settle(now);
      const member = members.get(id);
      return member === undefined ? members.size : firstFrom(byPlace, member.place, placeOf);
    },
  };
}

const placeOf = ({ place }: Member): number => place;
const untilOf = ({ until }: Member): number => until;

/** Where in a sorted list the first member of this rank or a higher one stands. */
function firstFrom(list: readonly Member[], rank: number, rankOf: (member: Member) => number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const member = list[middle];
    if (member !== undefined && rankOf(member) < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}
