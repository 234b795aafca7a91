"""`sistel cluster`: machines that do the runs of ensembles together."""

from __future__ import annotations

from sistel.cli._arguments import Call, Usage, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.cli._values import read_whole
from sistel.errors import Text

USAGE = Usage(
    about=Text(
        "Starts a cluster for `sistel map --cluster` and `System.ensemble(…, cluster=…)`, and prints its address: a "
        "scheduler, and workers on this machine. On other machines the same command with --join adds workers. It runs "
        "until Ctrl-C. Whoever reaches the scheduler can let the workers run any program, and nothing is encrypted: "
        "without --host it listens to this machine alone; with it, use a network that you trust. It is a cluster of "
        "Dask, any other one of which will do as well.",
        "Запускает кластер для `sistel map --cluster` и `System.ensemble(…, cluster=…)` и печатает его адрес: "
        "диспетчер и исполнители на этой машине. На других машинах та же команда с ключом --join добавляет "
        "исполнителей. Работает до Ctrl-C. Кто может соединиться с диспетчером, может выполнить на исполнителях любую "
        "программу, и ничего не шифруется: без --host слушает только эту машину, а с ним нужна сеть, которой вы "
        "доверяете. Это кластер Dask; подойдёт и любой другой.",
    ),
    arguments=(),
    options=options(
        """
        --workers NUMBER | ЧИСЛО
            processes that do runs; as many as there are processors by default, 0 for a scheduler alone
            процессов, которые выполняют запуски; по умолчанию по числу процессоров, 0 — только диспетчер
        --join ADDRESS | АДРЕС
            workers for the scheduler of another machine, instead of a scheduler of one's own
            исполнители для диспетчера другой машины вместо собственного диспетчера
        --host ADDRESS | АДРЕС
            address of this machine in the network: others can then join; tls://… for certificates of Dask
            адрес этой машины в сети: тогда другие могут подключиться; tls://… — с сертификатами Dask
        --port NUMBER | ЧИСЛО
            of the scheduler: 8786 by default, 0 for any that is free
            порт диспетчера: по умолчанию 8786, 0 — любой свободный
        """
    ),
    examples=examples(
        """
        sistel cluster
            all processors of this machine
            все процессоры этой машины
        sistel cluster --host 192.168.0.5
            a cluster that other machines may join
            кластер, к которому могут подключиться другие машины
        sistel cluster --join tcp://192.168.0.5:8786
            on each of them
            на каждой из них
        sistel map walker.xml --x=F=-90:90:50 --y=u=0:0.3:50 --keep=work --cluster tcp://192.168.0.5:8786
            runs on all of them
            запуски на всех
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Start it, and wait."""
    from sistel.cli._main import DONE
    from sistel.ensembles.serving import cores, serve

    join, host, port = call.value("join"), call.value("host"), read_whole(call, "port", 0, 2**16 - 1)
    if join is not None and port is not None:
        wrong_call(
            "bad-call",
            Text(
                "--port is that of a scheduler; --join starts none",
                "--port — порт диспетчера, а --join его не запускает",
            ),
        )
    workers = read_whole(call, "workers", 0, 2**16 - 1)
    count = cores() if workers is None else workers
    if join is not None and count == 0:
        wrong_call("bad-call", Text("--join needs workers", "для --join нужны исполнители"))

    def ready(address: str) -> None:
        if console.json:
            console.document({"address": address, "workers": count, "joined": join is not None})
        else:
            console.write(f"{address}\n")
            console.message(
                Text(
                    f"workers: {count}; for maps: `sistel map … --cluster {address}`; Ctrl-C ends it",
                    f"исполнителей: {count}; для карт: `sistel map … --cluster {address}`; Ctrl-C закончит работу",
                )
            )
        console.flush()

    serve(workers=count, join=join, host=host, port=port, ready=ready)
    return DONE
