import { packageRoot } from '../../../specs/src/index.ts';
import { freePort, runScript } from './project.ts';

// Builds the container image, and checks that it becomes healthy, answers calls, runs without privileges and can run `conform`. If no
// container engine works on this machine, it only prints that.
const image = 'switchyard-under-test';

const trial = (port: string): string => `
docker build --tag ${image} .
container=$(docker run --rm --detach --publish 127.0.0.1:${port}:4010 ${image})
trap 'docker rm --force "$container" > /dev/null; docker image rm --force ${image} > /dev/null' EXIT
for attempt in $(seq 60); do
  [ "$(docker inspect --format '{{.State.Health.Status}}' "$container")" = healthy ] && break
  sleep 1
done
[ "$(docker inspect --format '{{.State.Health.Status}}' "$container")" = healthy ]
[ "$(docker exec "$container" id --user)" != 0 ]
[ "$(curl --silent --output /dev/null --write-out '%{http_code}' http://127.0.0.1:${port}/v2/models)" = 401 ]
docker run --rm ${image} conform --target sandbox --rule 'catalog.*' --out /tmp/reports
`;

const engine = await runScript('docker info --format "{{.ServerVersion}}"', packageRoot());
if (engine.code !== 0) process.stdout.write('no container engine works here: the image was neither built nor run\n');
else {
  const { code, output } = await runScript(trial(await freePort()), packageRoot());
  process.stdout.write(code === 0 ? 'the image was built and works\n' : `${output}\nthe image does not work\n`);
  process.exitCode = code;
}
